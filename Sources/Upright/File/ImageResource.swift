internal import FileBytes
internal import JPEGCore

/// An image resource of Photoshop (Photoshop File Formats Specification, image resource section).
struct ImageResource {
  let number: UInt16
  /// Its range in the file, from its signature.
  let range: Range<Int>
  let data: Range<Int>

  /// An XMP packet.
  static let xmp: UInt16 = 1060
  /// The MD5 of IPTC.
  static let iptcDigest: UInt16 = 1061

  /// Returns the number of slices that data of the resource 1050 gives: after the rectangle around all and their name, or,
  /// from Photoshop CS on, as the length of a list.
  static func sliceCount(_ bytes: Span<UInt8>, _ data: Range<Int>) -> UInt32 {
    if bytes.uint32(at: data.lowerBound) == 6 {
      let name = bytes.uint32(at: data.lowerBound + 20)?.length ?? 0
      let place = data.lowerBound + 24 + 2 * min(name, data.count)
      return place + 4 <= data.upperBound ? bytes.uint32(at: place) ?? 0 : 0
    }
    let range = data.clamped(to: 0..<bytes.count)
    return bytes.firstOffset(of: "slicesVlLs", in: range).flatMap { bytes.uint32(at: $0 + 10) } ?? 0
  }

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

extension Header {
  /// Returns the image resources of Photoshop in each place of the file, with the range of the place and words for it.
  func imageResources(
    _ bytes: Span<UInt8>
  ) -> [(resources: [ImageResource], whole: Range<Int>, place: String)] {
    var found: [(resources: [ImageResource], whole: Range<Int>, place: String)] = []
    for block in exif {
      for entry in block.entries(.ifd0, ExifTag.imageResources) {
        guard let value = entry.value else { continue }
        found.append((ImageResource.list(bytes, in: value), value, " in Exif"))
      }
    }
    for segment in container.leadingSegments(.photoshop, in: bytes) {
      found.append((segment.imageResources(bytes), segment.payload, ""))
    }
    return found
  }
}

extension Segment {
  /// Returns the image resources of a Photoshop segment; the last one may end after the segment.
  func imageResources(_ bytes: Span<UInt8>) -> [ImageResource] {
    guard kind(in: bytes) == .photoshop else { return [] }
    return ImageResource.list(bytes, in: payload.dropFirst(14))
  }
}
