extension ImageFormat {
  /// What the program knows of each format, but for its first bytes.
  private var traits: Traits {
    switch self {
    case .jpeg: Traits("JPEG", .jpeg, ["jpg", "jpeg", "jpe", "jfif"])
    // HEIF without the brand of a coding may have the ending of one. That of the container may be of any coding
    // (ISO/IEC 23008-12, C.1).
    case .heic: Traits("HEIC", .heif, ["heic"], or: ["heif", "hif"])
    case .heif: Traits("HEIF", .heif, ["heif", "hif"], or: ["heic", "avif"])
    case .avif: Traits("AVIF", .heif, ["avif"], or: ["heif", "hif"])
    // Some cameras' own TIFF files have names of DNG.
    case .tiff: Traits("TIFF", .tiff, ["tif", "tiff"], or: ["dng", "gpr"])
    case .dng: Traits("DNG", .tiff, ["dng", "gpr"])
    case .png: Traits("PNG", .png, ["png"])
    case .webp: Traits("WebP", .webp, ["webp"])
    case .jxl: Traits("JPEG XL", .jxl, ["jxl"])
    case .nef: Traits("NEF", .tiff, ["nef", "nrw"], as: .raw)
    case .cr2: Traits("CR2", .tiff, ["cr2"], as: .raw)
    case .arw: Traits("ARW", .tiff, ["arw", "sr2", "srf"], as: .raw)
    case .pef: Traits("PEF", .tiff, ["pef"], as: .raw)
    // Samsung's first cameras are made by Pentax.
    case .srw: Traits("SRW", .tiff, ["srw"], or: ["pef"], as: .raw)
    case .rw2: Traits("RW2", .tiff, ["rw2", "rwl"], or: ["raw"], as: .raw)
    case .orf: Traits("ORF", .tiff, ["orf"], as: .raw)
    // Early digital cameras name their raw files as TIFF.
    case .raw:
      Traits(
        "camera raw",
        .tiff,
        ["raw", "3fr", "fff", "iiq", "mef", "mos", "erf", "kdc", "dcr", "dcs", "k25"],
        or: ["tif", "tiff"],
        as: .raw
      )
    case .raf: Traits("RAF", .raf, ["raf"], as: .raw)
    case .cr3: Traits("CR3", .cr3, ["cr3"], as: .raw)
    case .mrw: Traits("MRW", .mrw, ["mrw"], as: .raw)
    case .x3f: Traits("X3F", .x3f, ["x3f"], as: .raw)
    case .crw: Traits("CRW", .crw, ["crw"], as: .raw)
    case .mp4: Traits("MP4", .movie, ["mp4", "m4v", "3gp", "3g2"], or: ["mov", "qt"], as: .video)
    case .mov: Traits("MOV", .movie, ["mov", "qt"], or: ["mp4", "m4v", "3gp", "3g2"], as: .video)
    }
  }

  /// What a format is.
  private struct Traits: Sendable {
    var name: String
    var structure: Structure
    var content: Content
    var endings: [String]
    var otherEndings: [String]

    /// `endings` promise the format, the usual one first; `otherEndings` promise another one, and may be of this one.
    init(
      _ name: String,
      _ structure: Structure,
      _ endings: [String],
      or otherEndings: [String] = [],
      as content: Content = .image
    ) {
      self.name = name
      self.structure = structure
      self.content = content
      self.endings = endings
      self.otherEndings = otherEndings
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

  /// Whether the format is HEIF, with any coding.
  package var isHEIF: Bool { structure == .heif }

  /// Whether the format is a camera raw other than DNG, which only an audit reads.
  package var isRaw: Bool { content == .raw }

  /// Whether only the directories of a file distinguish the format from TIFF.
  package var resemblesTIFF: Bool { [.dng, .nef, .arw, .pef, .srw, .raw].contains(self) }

  /// The formats whose files have something.
  package static func all(of content: Content) -> [ImageFormat] {
    allCases.filter { $0.content == content }
  }

  /// The name of the format for people.
  package var name: String { traits.name }

  /// The usual ending of names, without a dot.
  package var ending: String { traits.endings[0] }

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
