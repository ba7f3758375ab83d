/// The properties of the items (ISO/IEC 23008-12, 9.3).
struct ItemProperties {
  private(set) var properties: [Int: [Box]] = [:]

  /// Reads the box `iprp`.
  init(_ bytes: Span<UInt8>, _ box: Box) throws(BoxError) {
    let boxes = try Box.boxes(bytes, in: box.content)
    let all = try Box.boxes(bytes, in: try boxes.required("ipco").content)
    for association in boxes where association.type == "ipma" {
      try read(association, of: all, bytes)
    }
  }

  private mutating func read(
    _ box: Box,
    of all: [Box],
    _ bytes: Span<UInt8>
  ) throws(BoxError) {
    var (version, flags, fields) = try box.fullBox(bytes)
    let indexSize = flags & 1 == 1 ? 2 : 1
    // The highest bit is the essential flag.
    let mask = indexSize == 2 ? 0x7FFF : 0x7F
    for _ in 0..<(try fields.integer(4, bytes)) {
      let place = fields.position
      let identifier = try fields.integer(version == 0 ? 2 : 4, bytes)
      var found: [Box] = []
      for _ in 0..<(try fields.integer(1, bytes)) {
        let index = try fields.integer(indexSize, bytes) & mask
        // 0 means no property.
        guard index > 0 else { continue }
        guard index <= all.count else {
          throw BoxError(.malformed, at: place, "item \(identifier) has a property that is missing")
        }
        found.append(all[index - 1])
      }
      guard properties[identifier] == nil else {
        throw BoxError(
          .malformed,
          at: place,
          "the properties of item \(identifier) are listed twice"
        )
      }
      properties[identifier] = found
    }
  }
}
