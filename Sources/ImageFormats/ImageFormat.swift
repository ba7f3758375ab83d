internal import ISOBMFF
internal import JPEGCore

/// The formats of images that can have an orientation.
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

  /// The number of bytes that show the format.
  package static let recognizedLength = 64

  /// Recognizes the format of a file by its first bytes; nil if it is none of these.
  ///
  /// A DNG file is recognized as TIFF here; only its directory distinguishes them.
  package init?(beginning bytes: Span<UInt8>) {
    switch bytes.uint16(at: 0) {
    case 0xFFD8 where bytes.count > 2 && bytes[2] == 0xFF: self = .jpeg
    case 0xFF0A: self = .jxl
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
      } else {
        return nil
      }
    }
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

  /// Whether the format is HEIF, with any coding.
  package var isHEIF: Bool { [.heic, .heif, .avif].contains(self) }

  /// The name of the format for people.
  package var name: String {
    self == .webp ? "WebP" : self == .jxl ? "JPEG XL" : rawValue.uppercased()
  }

  /// The usual ending of names, without a dot.
  package var ending: String {
    self == .jpeg ? "jpg" : self == .tiff ? "tif" : rawValue
  }

  /// Returns whether a file of this format may have a name with an ending, the part after the last dot: one that the
  /// format uses, or none of the formats.
  package func mayHave(ending: String) -> Bool {
    let named = Self.formats(ofEnding: ending.lowercased())
    return named.isEmpty || named.contains(self)
  }

  /// Returns the format that a name with an ending promises; nil if that is none of these.
  package static func promised(byEnding ending: String) -> ImageFormat? {
    formats(ofEnding: ending.lowercased()).first
  }

  private static func formats(ofEnding ending: String) -> [ImageFormat] {
    switch ending {
    case "jpg", "jpeg", "jpe", "jfif": [.jpeg]
    // HEIF without the brand of a coding may have either.
    case "heic": [.heic, .heif]
    // The ending of the container, whatever the coding (ISO/IEC 23008-12, C.1).
    case "heif", "hif": [.heif, .heic, .avif]
    case "avif": [.avif, .heif]
    case "tif", "tiff": [.tiff]
    // Cameras' own TIFF files are named so, too.
    case "dng": [.dng, .tiff]
    case "png": [.png]
    case "webp": [.webp]
    case "jxl": [.jxl]
    default: []
    }
  }
}
