internal import FileBytes
internal import ImageOrientation

extension TIFFBlock {
  var hasSubject: Bool { !subjects.isEmpty }

  private var subjects: [Entry] {
    [ExifTag.subjectArea, ExifTag.subjectLocation].flatMap { entries(.exif, $0) }
  }

  /// Returns the edits that transform SubjectArea (a point, circle or rectangle) and SubjectLocation with the image
  /// (specification, section 4), or nil if one has another form or its new numbers do not fit into 16 bits.
  func subjectEdits(_ geometry: RegionGeometry, _ bytes: Span<UInt8>) -> [Edit]? {
    var edits: [Edit] = []
    for entry in subjects {
      guard entry.type == 3, (2...4).contains(entry.count), let range = entry.value else {
        return nil
      }
      let old = (0..<Int(entry.count)).map {
        Int(bytes.uint16(at: range.lowerBound + 2 * $0, order) ?? 0)
      }
      let numbers = geometry.subject(old)
      guard numbers != old else { continue }
      let encoded = numbers.compactMap { UInt16(exactly: $0)?.bytes(order) }
      guard encoded.count == numbers.count else { return nil }
      let texts = [old, numbers].map { $0.map(String.init).joined(separator: " ") }
      let field = Edit.Field(entry.field, old: texts[0], new: texts[1])
      edits.append(Edit(range, with: encoded.flatMap { $0 }, field: field))
    }
    return edits
  }
}

extension RegionGeometry {
  /// Returns the numbers of a point, a circle (its diameter is the third) or a rectangle around a point, in pixels; there
  /// are 2 to 4.
  func subject(_ old: [Int]) -> [Int] {
    var numbers = old
    var region = Region(x: Double(old[0]), y: Double(old[1]))
    if old.count == 4 { (region.width, region.height) = (Double(old[2]), Double(old[3])) }
    region = pixels(region)
    (numbers[0], numbers[1]) = (Int(region.x.rounded()), Int(region.y.rounded()))
    if old.count == 4 {
      (numbers[2], numbers[3]) = (Int(region.width.rounded()), Int(region.height.rounded()))
    }
    return numbers
  }
}
