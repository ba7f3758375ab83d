internal import ISOBMFF
internal import JPEGCore

/// The formats of images and videos that can have an orientation.
package enum ImageFormat: String, CaseIterable, Sendable {
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

  /// The number of bytes that show the format.
  package static let recognizedLength = 64

  /// Recognizes the format of a file by its first bytes; nil if it is none of these.
  ///
  /// A DNG file and most camera raw files are recognized as TIFF here; only their directories distinguish them.
  package init?(beginning bytes: Span<UInt8>) {
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
