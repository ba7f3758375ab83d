/// The places of the items' contents (ISO/IEC 14496-12, 8.11.3).
struct ItemLocations {
  private(set) var locations: [Int: Item.Location] = [:]
  /// The fields that contain offsets in the file, by item.
  private(set) var offsets: [Offsets] = []

  /// The offsets of an item's extents.
  struct Offsets {
    /// What is added to each offset.
    var base: Field
    var extents: [Field] = []
  }

  /// A field with an offset in the file.
  struct Field {
    /// Where the field is in the bytes of the box.
    var place: Int
    /// Its size in bytes, which may be 0.
    var size: Int
    var value: Int
  }

  /// Reads the box `iloc`, with the content of the box `idat`; see ``ItemDirectory`` for `file`.
  init(
    _ bytes: Span<UInt8>,
    _ box: Box,
    data: Range<Int>?,
    _ file: (offset: Int, size: Int)?
  ) throws(FormatError) {
    var (version, _, fields) = try box.fullBox(bytes)
    guard version <= 2 else {
      throw .unsupported(at: box.range.lowerBound, "the box iloc has version \(version)")
    }
    let sizes = try fields.integer(2, bytes)
    let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
    let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    for size in [offsetSize, lengthSize, baseSize, indexSize] where ![0, 4, 8].contains(size) {
      throw .malformed(at: box.range.lowerBound, "the box iloc has fields of \(size) bytes")
    }
    let numberSize = version < 2 ? 2 : 4
    let origin = file?.offset ?? 0
    for _ in 0..<(try fields.integer(numberSize, bytes)) {
      let place = fields.position
      let identifier = try fields.integer(numberSize, bytes)
      let method = version == 0 ? 0 : try fields.integer(2, bytes) & 15
      let source = try fields.integer(2, bytes)
      let base = try fields.integer(baseSize, bytes)
      var own = Offsets(
        base: Field(place: fields.position - baseSize, size: baseSize, value: base)
      )
      var extents: [Range<Int>] = []
      let count = try fields.integer(2, bytes)
      // A small file could have any number of extents without fields.
      guard count < 2 || indexSize + offsetSize + lengthSize > 0 else {
        throw .malformed(at: place, "item \(identifier) has \(count) extents without fields")
      }
      for _ in 0..<count {
        try fields.skip(indexSize)
        let offset = try fields.integer(offsetSize, bytes)
        let place = fields.position - offsetSize
        own.extents.append(Field(place: place, size: offsetSize, value: offset))
        let length = try fields.integer(lengthSize, bytes)
        extents.append(base + offset..<base + offset + length)
      }
      if method == 0, source == 0 { offsets.append(own) }
      guard locations[identifier] == nil else {
        throw .malformed(at: place, "item \(identifier) has two locations")
      }
      locations[identifier] = try Self.location(
        of: identifier,
        extents,
        method: lengthSize > 0 ? method : nil,
        isInFile: source == 0,
        file: 0..<(file?.size ?? bytes.count),
        data.map { $0.lowerBound + origin..<$0.upperBound + origin },
        at: place
      )
    }
  }

  private static func location(
    of item: Int,
    _ extents: [Range<Int>],
    method: Int?,
    isInFile: Bool,
    file: Range<Int>,
    _ data: Range<Int>?,
    at place: Int
  ) throws(FormatError) -> Item.Location {
    guard isInFile else {
      return .unsupported("item \(item) is located by a data reference (dref)")
    }
    let container: Range<Int>
    switch method {
    case 0: container = file
    case 1:
      guard let data else {
        throw .malformed("item \(item) is in the box idat, which is missing")
      }
      container = data
    case 2: return .unsupported("item \(item) is a part of another item")
    default: return .unsupported("item \(item) is not located by offsets in the file")
    }
    var sum = 0
    var places: [Range<Int>] = []
    for extent in extents {
      guard extent.upperBound <= container.count else {
        throw .truncated(at: place, "item \(item) ends after the file")
      }
      sum += extent.count
      places.append(
        container.lowerBound + extent.lowerBound..<container.lowerBound + extent.upperBound
      )
      // Many extents of the same bytes would be a large item in a small file.
      guard sum <= container.count else {
        throw .malformed(at: place, "the extents of item \(item) overlap")
      }
    }
    return .extents(places)
  }
}
