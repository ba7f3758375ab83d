/// The geometry of the views of a multi-picture file: the attributes of an individual image in its MPF segment (CIPA DC-007,
/// 5.2.4).
package enum MultiPictureGeometry {
  /// How views are arranged and overlap, and the directions of their cameras, by the axes of the stored image: all of
  /// PanOrientation to RollAngle, except the number of the base viewpoint and the length of the base line.
  private static let tags: Set<UInt16> = [
    0xB201, 0xB202, 0xB203, 0xB205, 0xB207, 0xB208, 0xB209, 0xB20A, 0xB20B, 0xB20C, 0xB20D,
  ]
  private static let rationals: Set<UInt16> = [5, 10]

  /// Returns whether the payload of an MPF segment states a geometry other than that of views that are the same.
  package static func isStated(in payload: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    let start = payload.lowerBound + Segment.identifierLength(.multiPicture)
    guard start <= payload.upperBound, let block = TIFFBlock(bytes, in: start..<payload.upperBound)
    else { return false }
    // What is not read may be one.
    return block.isCut
      || block.entries.contains { entry in
        guard tags.contains(entry.tag), let value = entry.value else { return false }
        // The numerator comes first; one of only ones means that the value is not known.
        let number = bytes.uint32(at: value.lowerBound, block.order) ?? 0
        return number != 0 && !(rationals.contains(entry.type) && number == .max)
      }
  }
}
