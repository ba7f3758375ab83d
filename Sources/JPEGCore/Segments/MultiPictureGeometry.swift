internal import FileBytes

/// The geometry of the views of a multi-picture file: the attributes of an individual image in its MPF segment (CIPA DC-007,
/// 5.2.4).
package enum MultiPictureGeometry {
  /// How the images of a panorama are arranged and overlap: PanOrientation and both overlaps.
  package static let layout: Set<UInt16> = [0xB201, 0xB202, 0xB203]
  /// The directions and places of the cameras by the axes of the stored image: ConvergenceAngle, VerticalDivergence, the
  /// distances along the axes, and the three angles.
  package static let directions: Set<UInt16> = [
    0xB205, 0xB207, 0xB208, 0xB209, 0xB20A, 0xB20B, 0xB20C, 0xB20D,
  ]
  private static let rationals: Set<UInt16> = [5, 10]

  /// Returns whether the payload of an MPF segment states some of these attributes other than as those of views that are the same.
  package static func states(
    _ tags: Set<UInt16>,
    in payload: Range<Int>,
    _ bytes: Span<UInt8>
  ) -> Bool {
    let start = payload.lowerBound + Segment.identifierLength(.multiPicture)
    guard start <= payload.upperBound, let block = TIFFBlock(bytes, in: start..<payload.upperBound)
    else { return false }
    // An index that is cut is an obstacle of its own.
    return block.entries.contains { entry in
      guard tags.contains(entry.tag), let value = entry.value else { return false }
      // The numerator comes first; one of only ones means that the value is not known.
      let number = bytes.uint32(at: value.lowerBound, block.order) ?? 0
      return number != 0 && !(rationals.contains(entry.type) && number == .max)
    }
  }
}
