/// The properties of the items (ISO/IEC 23008-12, 9.3).
struct ItemProperties {
  /// The box that contains the properties (`ipco`).
  let container: Box
  /// All properties, in the order of their indices, which begin with 1.
  let all: [Box]
  /// The boxes that associate them with items (`ipma`).
  private(set) var tables: [Box] = []
  private(set) var associations: [Int: Association] = [:]

  /// The properties of an item.
  struct Association {
    /// The indices, each with its essential flag.
    var entries: [(index: Int, isEssential: Bool)] = []
    /// The size of an index in bytes.
    var indexSize: Int
    /// The bytes of the number of indices and of the indices.
    var range: Range<Int>
  }

  /// Reads the box `iprp`.
  init(_ bytes: Span<UInt8>, _ box: Box) throws(FormatError) {
    let boxes = try Box.boxes(bytes, in: box.content)
    container = try boxes.required("ipco")
    all = try Box.boxes(bytes, in: container.content)
    tables = boxes.filter { $0.type == "ipma" }
    for association in tables { try read(association, bytes) }
  }

  /// Returns the properties of an item, in the order in which they apply.
  func properties(of item: Int) -> [Box] {
    associations[item]?.entries.map { all[$0.index - 1] } ?? []
  }

  private mutating func read(_ box: Box, _ bytes: Span<UInt8>) throws(FormatError) {
    var (version, flags, fields) = try box.fullBox(bytes)
    let indexSize = flags & 1 == 1 ? 2 : 1
    // The highest bit is the essential flag.
    let flag = indexSize == 2 ? 0x8000 : 0x80
    for _ in 0..<(try fields.integer(4, bytes)) {
      let place = fields.position
      let identifier = try fields.integer(version == 0 ? 2 : 4, bytes)
      let start = fields.position
      var association = Association(indexSize: indexSize, range: start..<start)
      for _ in 0..<(try fields.integer(1, bytes)) {
        let entry = try fields.integer(indexSize, bytes)
        let index = entry & (flag - 1)
        // 0 means no property.
        guard index > 0 else { continue }
        guard index <= all.count else {
          throw .malformed(at: place, "item \(identifier) has a property that is missing")
        }
        association.entries.append((index, entry & flag != 0))
      }
      association.range = start..<fields.position
      guard associations.updateValue(association, forKey: identifier) == nil else {
        throw .malformed(at: place, "the properties of item \(identifier) are listed twice")
      }
    }
  }
}
