internal import ImageOrientation
internal import JPEGCore

extension TIFFBlock {
  /// Whether the block has SubjectArea or SubjectLocation.
  var hasSubject: Bool {
    [ExifTag.subjectArea, ExifTag.subjectLocation].contains { !entries(.exif, $0).isEmpty }
  }

  /// Returns the edits that transform SubjectArea (a point, circle or rectangle) and SubjectLocation with the image
  /// (specification, section 4).
  func subjectEdits(_ geometry: RegionGeometry, _ bytes: Span<UInt8>) -> [Edit] {
    var edits: [Edit] = []
    for tag in [ExifTag.subjectArea, ExifTag.subjectLocation] {
      for entry in entries(.exif, tag) {
        guard entry.type == 3, (2...4).contains(entry.count), let range = entry.value else {
          continue
        }
        var numbers: [Int] = []
        for index in 0..<Int(entry.count) {
          numbers.append(Int(bytes.uint16(at: range.lowerBound + 2 * index, order) ?? 0))
        }
        let old = numbers
        var region = RegionGeometry.Region(x: Double(numbers[0]), y: Double(numbers[1]))
        if entry.count == 4 {
          (region.width, region.height) = (Double(numbers[2]), Double(numbers[3]))
        }
        region = geometry.pixels(region)
        numbers[0] = Int(region.x.rounded())
        numbers[1] = Int(region.y.rounded())
        if entry.count == 4 {
          numbers[2] = Int(region.width.rounded())
          numbers[3] = Int(region.height.rounded())
        }
        let encoded = numbers.compactMap { UInt16(exactly: $0)?.bytes(order) }
        guard numbers != old, encoded.count == numbers.count else { continue }
        edits.append(
          Edit(
            range,
            with: encoded.flatMap { $0 },
            field: Edit.Field(
              entry.field,
              old: old.map(String.init).joined(separator: " "),
              new: numbers.map(String.init).joined(separator: " ")
            )
          )
        )
      }
    }
    return edits
  }
}
