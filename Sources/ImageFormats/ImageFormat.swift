/// The formats of images and videos that can have an orientation.
///
/// More may be added. Machine output contains the raw value.
public enum ImageFormat: String, CaseIterable, Sendable {
  /// ITU-T T.81.
  case jpeg
  /// HEIF with images coded with HEVC (ISO/IEC 23008-12, Annex B).
  case heic
  /// HEIF with images of another coding (ISO/IEC 23008-12).
  case heif
  /// HEIF with images coded with AV1 (AV1 Image File Format).
  case avif
  /// TIFF 6.0 and BigTIFF.
  case tiff
  /// Digital Negative, a TIFF file.
  case dng
  /// PNG, third edition.
  case png
  /// RIFF with a WebP image (RFC 9649).
  case webp
  /// JPEG XL, the codestream alone or in boxes (ISO/IEC 18181).
  case jxl
  /// Nikon's camera raw (NEF, NRW), a TIFF file.
  case nef
  /// Canon's camera raw until 2018, a TIFF file.
  case cr2
  /// Sony's camera raw (ARW, SR2, SRF), a TIFF file.
  case arw
  /// Pentax' camera raw, a TIFF file.
  case pef
  /// Samsung's camera raw, a TIFF file.
  case srw
  /// Panasonic's and Leica's camera raw (RW2, RWL), like TIFF with another signature.
  case rw2
  /// Olympus' camera raw, like TIFF with another signature.
  case orf
  /// Another camera raw that is a TIFF file, such as 3FR, IIQ and MEF.
  case raw
  /// Fujifilm's camera raw.
  case raf
  /// Canon's camera raw since 2018, in boxes.
  case cr3
  /// Minolta's camera raw.
  case mrw
  /// Sigma's camera raw.
  case x3f
  /// Canon's camera raw until 2004.
  case crw
  /// Video in boxes (ISO/IEC 14496-14, 3GPP).
  case mp4
  /// QuickTime video.
  case mov
}

extension ImageFormat {
  /// What the program knows of each format, but for its first bytes.
  private var traits: Traits {
    switch self {
    // Several images (CIPA DC-007) have a name of their own.
    case .jpeg: Traits("JPEG", "image/jpeg", .jpeg, ["jpg", "jpeg", "jpe", "jfif", "mpo"])
    // HEIF without the brand of a coding may have the ending of one. That of the container may be of any coding
    // (ISO/IEC 23008-12, C.1).
    case .heic:
      Traits(
        "HEIC",
        "image/heic",
        .heif,
        ["heic"],
        or: ["heif", "hif"],
        statedBy: Self.itemProperties
      )
    case .heif:
      Traits(
        "HEIF",
        "image/heif",
        .heif,
        ["heif", "hif"],
        or: ["heic", "avif"],
        statedBy: Self.itemProperties
      )
    case .avif:
      Traits(
        "AVIF",
        "image/avif",
        .heif,
        ["avif"],
        or: ["heif", "hif"],
        statedBy: Self.itemProperties
      )
    // Some cameras' own TIFF files have names of DNG.
    case .tiff: Traits("TIFF", "image/tiff", .tiff, ["tif", "tiff"], or: ["dng", "gpr"])
    case .dng: Traits("DNG", "image/x-adobe-dng", .tiff, ["dng", "gpr"])
    case .png: Traits("PNG", "image/png", .png, ["png"])
    case .webp: Traits("WebP", "image/webp", .webp, ["webp"])
    // ISO/IEC 18181-1, D.3.2.
    case .jxl: Traits("JPEG XL", "image/jxl", .jxl, ["jxl"], statedBy: "the codestream gives")
    case .nef: Traits("NEF", "image/x-nikon-nef", .tiff, ["nef", "nrw"], as: .raw)
    case .cr2: Traits("CR2", "image/x-canon-cr2", .tiff, ["cr2"], as: .raw)
    case .arw: Traits("ARW", "image/x-sony-arw", .tiff, ["arw", "sr2", "srf"], as: .raw)
    case .pef: Traits("PEF", "image/x-pentax-pef", .tiff, ["pef"], as: .raw)
    // Samsung's first cameras are made by Pentax.
    case .srw: Traits("SRW", "image/x-samsung-srw", .tiff, ["srw"], or: ["pef"], as: .raw)
    case .rw2: Traits("RW2", "image/x-panasonic-rw2", .tiff, ["rw2", "rwl"], or: ["raw"], as: .raw)
    case .orf: Traits("ORF", "image/x-olympus-orf", .tiff, ["orf"], as: .raw)
    // Early digital cameras name their raw files as TIFF.
    case .raw:
      Traits(
        "camera raw",
        "image/x-dcraw",
        .tiff,
        ["raw", "3fr", "fff", "iiq", "mef", "mos", "erf", "kdc", "dcr", "dcs", "k25"],
        or: ["tif", "tiff"],
        as: .raw
      )
    case .raf: Traits("RAF", "image/x-fuji-raf", .raf, ["raf"], as: .raw)
    case .cr3: Traits("CR3", "image/x-canon-cr3", .cr3, ["cr3"], as: .raw)
    case .mrw: Traits("MRW", "image/x-minolta-mrw", .mrw, ["mrw"], as: .raw)
    case .x3f:
      Traits("X3F", "image/x-sigma-x3f", .x3f, ["x3f"], as: .raw, statedBy: "the header gives")
    case .crw:
      Traits(
        "CRW",
        "image/x-canon-crw",
        .crw,
        ["crw"],
        as: .raw,
        statedBy: "the record ImageInfo gives"
      )
    case .mp4:
      Traits(
        "MP4",
        "video/mp4",
        .movie,
        ["mp4", "m4v", "3gp", "3g2"],
        or: ["mov", "qt"],
        as: .video,
        statedBy: Self.matrix
      )
    case .mov:
      Traits(
        "MOV",
        "video/quicktime",
        .movie,
        ["mov", "qt"],
        or: ["mp4", "m4v", "3gp", "3g2"],
        as: .video,
        statedBy: Self.matrix
      )
    }
  }

  // ISO/IEC 23000-22 (MIAF), 7.3.10.1.
  private static let itemProperties = "irot and imir give"
  private static let matrix = "the matrix of the video track gives"

  /// What a format is.
  private struct Traits: Sendable {
    var name: String
    var mediaType: String
    var structure: Structure
    var content: Content
    var endings: [String]
    var otherEndings: [String]
    var orientationStatement: String?

    /// `endings` promise the format, the usual one first; `otherEndings` promise another one, and may be of this one.
    init(
      _ name: String,
      _ mediaType: String,
      _ structure: Structure,
      _ endings: [String],
      or otherEndings: [String] = [],
      as content: Content = .image,
      statedBy orientationStatement: String? = nil
    ) {
      self.name = name
      self.mediaType = mediaType
      self.structure = structure
      self.content = content
      self.endings = endings
      self.otherEndings = otherEndings
      self.orientationStatement = orientationStatement
    }
  }

  /// How a file is built, which decides what reads it.
  package enum Structure: Sendable {
    case jpeg, heif, tiff, png, webp, jxl, raf, cr3, mrw, x3f, crw, movie
  }

  /// What a file has.
  package enum Content: Sendable {
    /// An image.
    case image
    /// A camera raw, other than DNG, which only an audit reads.
    case raw
    /// A video, which only an audit reads.
    case video
  }

  /// How files of the format are built.
  package var structure: Structure { traits.structure }

  /// What files of the format have.
  package var content: Content { traits.content }

  /// What states the orientation in the format itself, with its verb; nil if Exif's Orientation is all that there is.
  package var orientationStatement: String? { traits.orientationStatement }

  /// Whether the format is HEIF, with any coding.
  public var isHEIF: Bool { structure == .heif }

  /// Whether the format is a camera raw other than DNG, which only an audit reads.
  package var isRaw: Bool { content == .raw }

  /// Whether only the directories of a file distinguish the format from TIFF.
  package var resemblesTIFF: Bool { [.dng, .nef, .arw, .pef, .srw, .raw].contains(self) }

  /// The formats whose files have something.
  package static func all(of content: Content) -> [ImageFormat] {
    allCases.filter { $0.content == content }
  }

  /// The name of the format for people.
  public var name: String { traits.name }

  /// The media type, such as `image/jpeg`; of camera raw files, which have none that is registered, the one that systems
  /// and programs use.
  public var mediaType: String { traits.mediaType }

  /// The usual ending of names, without a dot.
  public var ending: String { traits.endings[0] }

  /// The endings of names that promise the format, without a dot, in small letters.
  package var endings: [String] { traits.endings }

  private static let promises: [(ending: String, format: ImageFormat)] = allCases.flatMap {
    format in
    format.endings.map { ($0, format) }
  }

  /// Returns whether a file of this format may have a name with an ending, the part after the last dot: one that the
  /// format uses, or none of the formats.
  package func mayHave(ending: String) -> Bool {
    guard let promised = Self.promised(byEnding: ending) else { return true }
    return promised == self || traits.otherEndings.contains(ending.lowercased())
  }

  /// Returns the format that a name with an ending promises; nil if that is none of these.
  package static func promised(byEnding ending: String) -> ImageFormat? {
    let ending = ending.lowercased()
    return promises.first { $0.ending == ending }?.format
  }
}
