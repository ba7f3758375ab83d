internal import JPEGCore

/// An image resource of Photoshop (Photoshop File Formats Specification, image resource section).
struct ImageResource {
  let number: UInt16
  /// Its range in the file, from its signature.
  let range: Range<Int>
  /// Its data.
  let data: Range<Int>

  /// A TIFF block with Exif.
  static let exif: ClosedRange<UInt16> = 1058...1059
  /// An XMP packet.
  static let xmp: UInt16 = 1060

  /// Returns the resources in a range; the last one may end after it.
  static func list(_ bytes: Span<UInt8>, in range: Range<Int>) -> [ImageResource] {
    var resources: [ImageResource] = []
    var position = range.lowerBound
    while position + 12 <= range.upperBound, bytes.hasPrefix("8BIM", at: position),
      let number = bytes.uint16(at: position + 4)
    {
      let name = (Int(bytes[position + 6]) + 2) / 2 * 2
      let length = bytes.uint32(at: position + 6 + name)?.length ?? range.count
      let start = position + 10 + name
      let end = start + (length + 1) / 2 * 2
      resources.append(
        ImageResource(number: number, range: position..<end, data: start..<start + length)
      )
      position = end
    }
    return resources
  }
}

extension Segment {
  /// Returns the image resources of a Photoshop segment; the last one may end after the segment.
  func imageResources(_ bytes: Span<UInt8>) -> [ImageResource] {
    guard kind(in: bytes) == .photoshop else { return [] }
    return ImageResource.list(bytes, in: payload.dropFirst(14))
  }
}
