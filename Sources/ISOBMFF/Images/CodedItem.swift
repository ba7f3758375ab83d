/// What the headers of a coded image determine.
package struct CodedItem: Hashable, Sendable {
  /// The chroma sampling (`chroma_format_idc` of ITU-T H.265).
  package enum ChromaFormat: Int, Hashable, Sendable {
    case monochrome
    case halved
    case halvedWidth
    case full
  }

  /// The width of the image that the decoder returns.
  package var width: Int
  package var height: Int
  /// The number of pixels that the decoder decodes, with those that it cuts off.
  package var codedPixels: Int
  package var chroma: ChromaFormat
  /// Bits per luma sample.
  package var bitDepth: Int
  /// Bits per chroma sample.
  package var chromaBitDepth: Int
}

extension Item {
  /// Whether the item is an image that is coded in itself, and whose headers are read here.
  var isCodedImage: Bool { type == "hvc1" || type == "av01" }

  /// Returns what the headers of a coded image determine; nil if they are in its content, which is not known.
  ///
  /// A coded image may have several headers. Which one a decoder uses depends on the decoder, so all must agree.
  func codedImage(_ content: [UInt8]?, _ bytes: Span<UInt8>) throws(FormatError) -> CodedItem? {
    let headers =
      type == "av01"
      ? try AV1Headers.read(bytes, try properties.required("av1C"), content)
      : try HEVCHeaders.read(bytes, try properties.required("hvcC"), content)
    guard let first = headers.first else {
      guard content != nil else { return nil }
      throw .malformed("item \(identifier) has no header that gives the size of the image")
    }
    guard headers.allSatisfy({ $0 == first }) else {
      throw .unsupported("the coded image of item \(identifier) has headers of different sizes")
    }
    return first
  }
}
