internal import FileBytes

/// What a file is by its first bytes, for messages about files that cannot be processed.
package enum FileContent {
  /// Returns a noun with its article, such as `a PNG image`; nil if the content is not recognized.
  ///
  /// The first ``ImageFormat/recognizedLength`` bytes suffice.
  package static func name(of bytes: Span<UInt8>) -> String? {
    if let format = ImageFormat(beginning: bytes) { return format.noun }
    for (offset, signature, name) in signatures
    where bytes.hasPrefix(signature.unicodeScalars.map { UInt8($0.value) }, at: offset) {
      return name
    }
    // The two letters alone may begin a text.
    if bytes.hasPrefix("BM"), bytes.hasPrefix("\0\0\0\0", at: 6) { return "a BMP image" }
    return isText(bytes) ? "text" : nil
  }

  /// Bytes as a text of one byte for each scalar.
  private typealias Signature = (offset: Int, bytes: String, name: String)

  /// What is none of ``ImageFormat``.
  private static let signatures: [Signature] = [
    (0, "GIF8", "a GIF image"), (0, "%PDF", "a PDF document"), (0, "8BPS", "a Photoshop document"),
    (0, "PK\u{3}\u{4}", "a ZIP archive"), (0, "\0\0\0\u{c}jP  ", "a JPEG 2000 image"),
    (8, "AVI ", "a video"), (0, "\0\0\u{1}\u{ba}", "a video"),
    (0, "\u{1a}E\u{df}\u{a3}", "a video"),
  ]

  /// Returns whether the beginning is text: ASCII without control characters except white space.
  private static func isText(_ bytes: Span<UInt8>) -> Bool {
    let count = min(bytes.count, 32)
    for index in 0..<count {
      let byte = bytes[index]
      guard (0x20..<0x7F).contains(byte) || (0x09...0x0D).contains(byte) else { return false }
    }
    return count > 0
  }
}

extension ImageFormat {
  /// What a file of the format is.
  fileprivate var noun: String {
    switch (content, self) {
    // Its directories would show which.
    case (_, .tiff): "a TIFF image or a raw photo"
    case (.image, .avif): "an AVIF image"
    case (.image, _): "a \(name) image"
    case (.raw, .raw): "a raw photo"
    case (.raw, _): "a raw photo (\(name))"
    case (.video, _): "a video"
    }
  }
}
