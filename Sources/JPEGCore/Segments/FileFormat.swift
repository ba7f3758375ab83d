/// The formats of files that are not JPEG, recognized by their first bytes.
package enum FileFormat {
  /// The number of bytes required to recognize a format.
  package static let length = 32

  /// Returns the name of a file's format for people, or nil if it is not recognized.
  package static func name(of bytes: Span<UInt8>) -> String? {
    if let name = name(of: bytes, among: heif + others) { return name }
    // The two letters alone may begin a text.
    if bytes.hasPrefix("BM"), bytes.hasPrefix("\0\0\0\0", at: 6) { return "a BMP image" }
    return isText(bytes) ? "text" : nil
  }

  /// Returns whether a file is a HEIF image, with any coding.
  package static func isHEIF(_ bytes: Span<UInt8>) -> Bool { name(of: bytes, among: heif) != nil }

  private static func name(of bytes: Span<UInt8>, among signatures: [Signature]) -> String? {
    for (offset, signature, name) in signatures
    where bytes.hasPrefix(signature.unicodeScalars.map { UInt8($0.value) }, at: offset) {
      return name
    }
    return nil
  }

  /// Bytes as a text of one byte for each scalar.
  private typealias Signature = (offset: Int, bytes: String, name: String)

  private static let heif: [Signature] = [
    (4, "ftypavif", "an AVIF image"),
    (4, "ftyphei", "a HEIF (HEIC) image"),
    (4, "ftyphev", "a HEIF (HEIC) image"),
    (4, "ftypmif1", "a HEIF image"),
  ]

  private static let others: [Signature] = [
    (0, "\u{89}PNG", "a PNG image"), (0, "GIF8", "a GIF image"), (8, "WEBP", "a WebP image"),
    (0, "II*\0", "a TIFF image or a raw photo"),
    (0, "MM\0*", "a TIFF image or a raw photo"),
    (0, "%PDF", "a PDF document"), (0, "8BPS", "a Photoshop document"),
    (0, "PK\u{3}\u{4}", "a ZIP archive"), (0, "\0\0\0\u{c}JXL ", "a JPEG XL image"),
    (0, "\0\0\0\u{c}jP  ", "a JPEG 2000 image"),
    (4, "ftypcrx", "a raw photo (CR3)"), (4, "ftyp", "a video"),
    (4, "moov", "a video"), (4, "mdat", "a video"), (8, "AVI ", "a video"),
    (0, "\0\0\u{1}\u{ba}", "a video"), (0, "\u{1a}E\u{df}\u{a3}", "a video"),
  ]

  /// Returns whether the beginning is text: ASCII without control characters except white space.
  private static func isText(_ bytes: Span<UInt8>) -> Bool {
    let count = min(bytes.count, length)
    for index in 0..<count {
      let byte = bytes[index]
      guard (0x20..<0x7F).contains(byte) || (0x09...0x0D).contains(byte) else { return false }
    }
    return count > 0
  }
}
