internal import FileBytes
internal import ISOBMFF
internal import ImageOrientation

/// The box `meta` of a HEIF file, read for a comparison (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 9.3).
///
/// Of the readers that a rewrite uses it shares only that of the headers of boxes.
struct ItemTable {
  struct Item {
    var type = FourCharacterCode("    ")
    var contentType: [UInt8] = []
    var isCompressed = false
    var isHidden = false
    /// The places of the content; nil if it is not in this file.
    var extents: [Range<Int>]? = []
    /// The indices of the properties, which begin with 1, each with the essential flag.
    var properties: [(index: Int, isEssential: Bool)] = []

    var isExif: Bool { type == "Exif" }
    var isPacket: Bool {
      type == "mime" && !isCompressed && contentType.elementsEqual("application/rdf+xml".utf8)
    }
  }

  /// References from an item to others.
  struct ItemReference {
    var type: FourCharacterCode
    var source: Int
    var targets: [Int]
  }

  let meta: Box
  private(set) var primary = 0
  private(set) var items: [Int: Item] = [:]
  private(set) var order: [Int] = []
  private(set) var references: [ItemReference] = []
  /// The members of each group.
  private(set) var groups: [[Int]] = []
  private(set) var properties: [Box] = []
  /// The position of each property among those that are compared, by its index; nil if its value is judged by what it
  /// means.
  private var positions: [Int?] = [0]
  /// The parts of the box, except for the contents of items.
  private(set) var parts: [FilePart] = []
  private var data: Range<Int>?

  init(_ meta: Box, _ bytes: Span<UInt8>) throws(FormatError) {
    self.meta = meta
    guard meta.content.count >= 4 else { throw .malformed(at: meta.range.lowerBound, "no flags") }
    let start = meta.content.lowerBound
    parts.append(FilePart("the box meta", start..<start + 4))
    let boxes = try Box.boxes(bytes, in: start + 4..<meta.content.upperBound)
    for type: FourCharacterCode in ["iinf", "iloc", "iprp"] { try Self.checkSingle(type, boxes) }
    for box in boxes where box.type == "iinf" { try readItems(box, bytes) }
    for box in boxes {
      let name = "the box \(box.type)"
      switch box.type {
      case "iprp": try readProperties(box, bytes)
      // Read below, because items are read first.
      case "iloc": parts.append(FilePart(name, box.content, .form([]), field: "heif.iloc"))
      default: parts.append(FilePart(name, box.range))
      }
      if box.type == "idat" { data = box.content }
    }
    for box in boxes {
      var fields = IntegerReader(box.content)
      switch box.type {
      case "pitm":
        let version = try fields.integer(4, bytes) >> 24
        primary = try fields.integer(version == 0 ? 2 : 4, bytes)
      case "iref": try readReferences(box, bytes)
      case "grpl": try readGroups(box, bytes)
      case "iloc":
        let form = try readLocations(box, bytes)
        for index in parts.indices where parts[index].range == box.content {
          parts[index].content = .form(form)
        }
      default: continue
      }
    }
    guard items[primary] != nil else {
      throw .malformed(at: meta.range.lowerBound, "the primary item is missing")
    }
  }

  // MARK: Boxes

  /// What refers to the content of one box would be looked up in another of its type.
  private static func checkSingle(
    _ type: FourCharacterCode,
    _ boxes: [Box]
  ) throws(FormatError) {
    if let second = boxes.filter({ $0.type == type }).dropFirst().first {
      throw .malformed(at: second.range.lowerBound, "there is more than one box \(type)")
    }
  }

  private mutating func readItems(_ box: Box, _ bytes: Span<UInt8>) throws(FormatError) {
    var fields = IntegerReader(box.content)
    let version = try fields.integer(4, bytes) >> 24
    _ = try fields.integer(version == 0 ? 2 : 4, bytes)
    var known: Set<Int> = []
    for entry in try Box.boxes(bytes, in: fields.rest) where entry.type == "infe" {
      var fields = IntegerReader(entry.content)
      let flags = try fields.integer(4, bytes)
      guard flags >> 24 >= 2 else { continue }
      let identifier = try fields.integer(flags >> 24 == 2 ? 2 : 4, bytes)
      _ = try fields.integer(2, bytes)
      var item = items[identifier] ?? Item()
      let type = try fields.integer(4, bytes)
      item.type = FourCharacterCode(rawValue: UInt32(truncatingIfNeeded: type))
      item.isHidden = flags & 1 == 1
      _ = fields.text(bytes)
      if item.type == "mime" {
        item.contentType = fields.text(bytes)
        item.isCompressed = !fields.text(bytes).isEmpty
      }
      guard known.insert(identifier).inserted else {
        throw .malformed(at: entry.range.lowerBound, "item \(identifier) is listed twice")
      }
      order.append(identifier)
      items[identifier] = item
    }
  }

  private mutating func readReferences(_ box: Box, _ bytes: Span<UInt8>) throws(FormatError) {
    var fields = IntegerReader(box.content)
    let size = try fields.integer(4, bytes) >> 24 == 0 ? 2 : 4
    for entry in try Box.boxes(bytes, in: fields.rest) {
      var fields = IntegerReader(entry.content)
      let source = try fields.integer(size, bytes)
      var targets: [Int] = []
      for _ in 0..<(try fields.integer(2, bytes)) {
        targets.append(try fields.integer(size, bytes))
      }
      references.append(ItemReference(type: entry.type, source: source, targets: targets))
    }
  }

  private mutating func readGroups(_ box: Box, _ bytes: Span<UInt8>) throws(FormatError) {
    for entry in try Box.boxes(bytes, in: box.content) {
      var fields = IntegerReader(entry.content)
      _ = try fields.integer(4, bytes)
      _ = try fields.integer(4, bytes)
      var members: [Int] = []
      for _ in 0..<(try fields.integer(4, bytes)) { members.append(try fields.integer(4, bytes)) }
      groups.append(members)
    }
  }

  /// Reads the places of the items; returns the fields of the box except for offsets in the file, which are compared by
  /// what is there.
  private mutating func readLocations(
    _ box: Box,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> [UInt8] {
    var fields = IntegerReader(box.content)
    let flags = try fields.integer(4, bytes)
    let version = flags >> 24
    let sizes = try fields.integer(2, bytes)
    let indexSize = version == 0 ? 0 : sizes & 15
    let extentSize = indexSize + (sizes >> 12) + (sizes >> 8 & 15)
    let numberSize = version < 2 ? 2 : 4
    var form = bytes.bytes(box.content.prefix(6 + numberSize))
    var known: Set<Int> = []
    for _ in 0..<(try fields.integer(numberSize, bytes)) {
      let start = fields.position
      let identifier = try fields.integer(numberSize, bytes)
      let method = version == 0 ? 0 : try fields.integer(2, bytes) & 15
      let source = try fields.integer(2, bytes)
      form += bytes.bytes(start..<fields.position)
      let base = try fields.integer(sizes >> 4 & 15, bytes)
      let isInFile = method == 0 && source == 0
      if !isInFile { form += UInt32(clamping: base).bytes(.big) }
      let count = try fields.integer(2, bytes)
      guard extentSize > 0 || count <= 1 else {
        throw .malformed(at: start, "item \(identifier) has \(count) extents of no fields")
      }
      form += UInt16(clamping: count).bytes(.big)
      var extents: [Range<Int>]? = source == 0 && method < 2 ? [] : nil
      for _ in 0..<count {
        let index = try fields.integer(indexSize, bytes)
        let offset = try fields.integer(sizes >> 12, bytes)
        let length = try fields.integer(sizes >> 8 & 15, bytes)
        form += UInt32(clamping: index).bytes(.big) + UInt32(clamping: length).bytes(.big)
        if !isInFile { form += UInt32(clamping: offset).bytes(.big) }
        let container = method == 1 ? data ?? 0..<0 : 0..<bytes.count
        guard base + offset + length <= container.count else {
          throw .malformed(at: start, "item \(identifier) ends after the file")
        }
        let place = container.lowerBound + base + offset
        extents?.append(place..<place + length)
      }
      guard known.insert(identifier).inserted else {
        throw .malformed(at: start, "item \(identifier) has two locations")
      }
      items[identifier]?.extents = extents
    }
    return form + bytes.bytes(fields.rest)
  }

  // MARK: Properties

  private mutating func readProperties(_ box: Box, _ bytes: Span<UInt8>) throws(FormatError) {
    let boxes = try Box.boxes(bytes, in: box.content)
    try Self.checkSingle("ipco", boxes)
    for container in boxes where container.type == "ipco" {
      properties = try Box.boxes(bytes, in: container.content)
    }
    let tables = try boxes.filter { $0.type == "ipma" }.map { (box) throws(FormatError) in
      try readAssociations(box, bytes)
    }
    let judged = judged
    var count = 0
    for index in properties.indices {
      count += judged.contains(index + 1) ? 0 : 1
      positions.append(judged.contains(index + 1) ? nil : count)
    }
    for child in boxes {
      switch child.type {
      case "ipco":
        for (index, property) in properties.enumerated() where positions[index + 1] != nil {
          parts.append(FilePart("the property \(property.type)", property.range))
        }
      case "ipma":
        let form = tables.first { $0.box == child }.map(form) ?? []
        parts.append(FilePart("the box ipma", child.content, .form(form), field: "heif.ipma"))
      default: parts.append(FilePart("the box \(child.type)", child.range))
      }
    }
  }

  private static func isOrientation(_ box: Box) -> Bool {
    box.type == "irot" || box.type == "imir"
  }

  private func isDerivedSize(_ index: Int, of item: Int) -> Bool {
    items[item]?.type == "tmap" && properties[index - 1].type == "ispe"
  }

  /// The indices of the properties whose values are judged by what they mean: orientations, and the sizes that only
  /// tone-mapped images have.
  private var judged: Set<Int> {
    var (sizes, others): (Set<Int>, Set<Int>) = ([], [])
    for (identifier, item) in items {
      for (index, _) in item.properties {
        if isDerivedSize(index, of: identifier) {
          sizes.insert(index)
        } else {
          others.insert(index)
        }
      }
    }
    let orientations = properties.indices.filter { Self.isOrientation(properties[$0]) }
    return sizes.subtracting(others).union(orientations.map { $0 + 1 })
  }

  /// A box `ipma`.
  private struct AssociationTable {
    var box: Box
    /// The fields of version, flags and count.
    var head: [UInt8]
    /// The items, each with the bytes that name it.
    var entries: [(item: Int, name: [UInt8])] = []
    /// What follows.
    var rest: [UInt8] = []
  }

  private mutating func readAssociations(
    _ box: Box,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> AssociationTable {
    var fields = IntegerReader(box.content)
    let flags = try fields.integer(4, bytes)
    let size = flags & 1 == 1 ? 2 : 1
    let essential = size == 2 ? 0x8000 : 0x80
    var table = AssociationTable(box: box, head: bytes.bytes(box.content.prefix(8)))
    for _ in 0..<(try fields.integer(4, bytes)) {
      let start = fields.position
      let identifier = try fields.integer(flags >> 24 == 0 ? 2 : 4, bytes)
      table.entries.append((identifier, bytes.bytes(start..<fields.position)))
      var list: [(index: Int, isEssential: Bool)] = []
      for _ in 0..<(try fields.integer(1, bytes)) {
        let entry = try fields.integer(size, bytes)
        let index = entry & (essential - 1)
        guard index <= properties.count else {
          throw .malformed(at: start, "item \(identifier) has a property that is missing")
        }
        if index > 0 { list.append((index, entry & essential != 0)) }
      }
      guard items[identifier]?.properties.isEmpty != false else {
        throw .malformed(at: start, "the properties of item \(identifier) are listed twice")
      }
      items[identifier, default: Item()].properties = list
    }
    table.rest = bytes.bytes(fields.rest)
    return table
  }

  /// Returns the fields of a box `ipma` without `irot` and `imir`, and without which size a derived image has.
  private func form(of table: AssociationTable) -> [UInt8] {
    var form = table.head
    for (item, name) in table.entries {
      form += name
      for (index, isEssential) in items[item]?.properties ?? []
      where !Self.isOrientation(properties[index - 1]) {
        let position = isDerivedSize(index, of: item) ? 0 : positions[index] ?? 0
        form += [isEssential ? 1 : 0] + UInt16(clamping: position).bytes(.big)
      }
      form.append(2)
    }
    return form + table.rest
  }

  /// Returns the properties of an item, in the order in which they apply.
  func properties(of item: Int) -> [Box] {
    items[item]?.properties.map { properties[$0.index - 1] } ?? []
  }
}
