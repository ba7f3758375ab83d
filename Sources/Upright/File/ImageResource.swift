internal import JPEGCore

/// An image resource of a Photoshop segment (Photoshop File Formats Specification, image resource section).
struct ImageResource {
  let number: UInt16
  /// Its range in the file, from its signature.
  let range: Range<Int>
}

extension Segment {
  /// Returns the image resources of a Photoshop segment; the last one may end after the segment.
  func imageResources(_ bytes: Span<UInt8>) -> [ImageResource] {
    guard kind(in: bytes) == .photoshop else { return [] }
    var resources: [ImageResource] = []
    var position = payload.lowerBound + 14
    while position + 12 <= payload.upperBound, bytes.hasPrefix("8BIM", at: position),
      let number = bytes.uint16(at: position + 4)
    {
      let name = (Int(bytes[position + 6]) + 2) / 2 * 2
      let length = bytes.uint32(at: position + 6 + name)?.length ?? payload.count
      let end = position + 10 + name + (length + 1) / 2 * 2
      resources.append(ImageResource(number: number, range: position..<end))
      position = end
    }
    return resources
  }
}
