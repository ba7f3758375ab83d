internal import FileBytes
internal import ISOBMFF

extension ImageFormat {
  /// The number of bytes that show the format.
  package static let recognizedLength = 64

  /// Recognizes the format of a file by its first bytes; nil if it is none of these.
  ///
  /// A DNG file and most camera raw files are recognized as TIFF here; only their directories distinguish them.
  public init?(beginning bytes: Span<UInt8>) {
    switch bytes.uint16(at: 0) {
    case 0xFFD8 where bytes.count > 2 && bytes[2] == 0xFF: self = .jpeg
    case 0xFF0A: self = .jxl
    case 0x4949 where bytes.hasPrefix("II*\0") && bytes.hasPrefix("CR\u{2}", at: 8): self = .cr2
    case 0x4949 where bytes.hasPrefix(CRWReader.signature, at: 6): self = .crw
    // Phase One.
    case 0x4949 where bytes.hasPrefix("II*\0") && bytes.hasPrefix("IIII", at: 8): self = .raw
    case 0x4D4D where bytes.hasPrefix("MM\0*") && bytes.hasPrefix("MMMM", at: 8): self = .raw
    case 0x4949 where bytes.hasPrefix("IIU\0"): self = .rw2
    case 0x4949 where bytes.hasPrefix("IIRO") || bytes.hasPrefix("IIRS"): self = .orf
    case 0x4D4D where bytes.hasPrefix("MMOR"): self = .orf
    case 0x4949 where bytes.uint16(at: 2) == 0x2A00 || bytes.uint16(at: 2) == 0x2B00: self = .tiff
    case 0x4D4D where bytes.uint16(at: 2) == 0x002A || bytes.uint16(at: 2) == 0x002B: self = .tiff
    case 0x8950 where bytes.hasPrefix(PNGReader.signature): self = .png
    case 0x5249 where bytes.hasPrefix("RIFF") && bytes.hasPrefix("WEBP", at: 8): self = .webp
    default:
      if bytes.hasPrefix(JXLReader.signature) {
        self = .jxl
      } else if MediaFile.isHEIF(bytes) || MediaFile.brands(bytes).contains("mif3") {
        // With mif3, the version number is the brand of the coding.
        let coding = bytes.uint32(at: 12).map { FourCharacterCode(rawValue: $0) }
        self = .init(brands: MediaFile.brands(bytes) + (coding.map { [$0] } ?? []))
      } else if bytes.hasPrefix(RAFReader.signature) {
        self = .raf
      } else if bytes.hasPrefix(MRWReader.signature) {
        self = .mrw
      } else if bytes.hasPrefix(X3FReader.signature) {
        self = .x3f
      } else if let brand = MediaFile.brands(bytes).first {
        self = brand == "crx " ? .cr3 : brand == "qt  " ? .mov : .mp4
      } else if Self.beginsLikeQuickTime(bytes) {
        self = .mov
      } else {
        return nil
      }
    }
  }

  /// Returns whether a file begins with a box of early QuickTime files, which have no box `ftyp`.
  private static func beginsLikeQuickTime(_ bytes: Span<UInt8>) -> Bool {
    let types: [StaticString] = ["moov", "mdat", "wide", "skip", "free", "pnot"]
    return types.contains { bytes.hasPrefix($0, at: 4) }
  }

  /// Returns the format that brands name: the major brand, or else the first of the others that names a coding.
  private init(brands: [FourCharacterCode]) {
    self = .heif
    for brand in brands {
      switch brand {
      case "avif", "avis": self = .avif
      case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": self = .heic
      default: continue
      }
      return
    }
  }
}

extension FormatHeader {
  /// The number of first bytes of a file that suffice for most headers.
  package static let smallRead = 4 << 10

  /// Reads the header of an image file with a few small reads; nil if the format is JPEG or none of ``ImageFormat``.
  ///
  /// `beginning` has at least ``ImageFormat/recognizedLength`` bytes if the file has them. `read` returns up to `count`
  /// bytes from an offset, fewer only at the end of the file. The ending of the file's name, without a dot, distinguishes
  /// camera raw files that their content does not.
  package static func read<Failure: Error>(
    _ beginning: [UInt8],
    size: Int,
    ending: String? = nil,
    _ read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(HeaderError<Failure>) -> FormatHeader? {
    guard let format = ImageFormat(beginning: beginning.span) else { return nil }
    return try withoutActuallyEscaping(read) {
      (read) throws(HeaderError<Failure>) -> FormatHeader? in
      var file = FileWindow(beginning, size: size, read)
      switch format.structure {
      case .jpeg: return nil
      case .heif:
        var reader = HEIFReader(format)
        return try reader.read(&file)
      case .tiff:
        return try TIFFReader.read(&file, format, ending: ending)
      case .raf:
        var reader = RAFReader()
        return try reader.read(&file)
      case .cr3:
        var reader = CR3Reader()
        return try reader.read(&file)
      case .mrw:
        var reader = MRWReader()
        return try reader.read(&file)
      case .x3f:
        return try X3FReader.read(&file)
      case .crw:
        var reader = CRWReader()
        return try reader.read(&file)
      case .movie:
        var reader = VideoReader(format)
        return try reader.read(&file)
      case .png:
        var reader = PNGReader()
        return try reader.read(&file)
      case .webp:
        var reader = WebPReader()
        return try reader.read(&file)
      case .jxl:
        var reader = JXLReader()
        return try reader.read(&file)
      }
    }
  }
}
