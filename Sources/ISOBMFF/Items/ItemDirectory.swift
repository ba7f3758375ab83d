internal import FileBytes

/// The items of a file, as its box `meta` lists them (ISO/IEC 14496-12, 8.11).
package struct ItemDirectory: Hashable, Sendable {
  /// The items by their identifiers.
  package private(set) var items: [Int: Item] = [:]
  /// The identifiers in the order of the file.
  package private(set) var order: [Int] = []
  /// The identifier of the primary item.
  package private(set) var primary: Int

  /// Reads a box `meta`; fails if two entries contradict each other, because readers differ in which one they use.
  ///
  /// If `bytes` are only a part of a file, `file` is the offset of their first byte and the size of the file. Locations
  /// of items then are ranges of the file.
  package init(
    _ bytes: Span<UInt8>,
    _ meta: Box,
    in file: (offset: Int, size: Int)? = nil
  ) throws(FormatError) {
    let boxes = try Box.boxes(bytes, in: try meta.fullBox(bytes).fields.rest)
    primary = try Self.primary(bytes, try boxes.required("pitm"))
    try readItems(bytes, try boxes.required("iinf"))
    let data = try boxes.only("idat")?.content
    let locations = try ItemLocations(bytes, try boxes.required("iloc"), data: data, file)
    let properties = try ItemProperties(bytes, try boxes.required("iprp"))
    for identifier in order {
      items[identifier]?.location = locations.locations[identifier] ?? .none
      items[identifier]?.properties = properties.properties(of: identifier)
    }
    if let references = try boxes.only("iref") { try readReferences(bytes, references) }
    guard items[primary] != nil else {
      throw .malformed("the primary item \(primary) is missing")
    }
  }

  /// Returns whether a box `meta` has a primary item (`pitm`), which a sequence of images may lack.
  package static func hasPrimary(_ bytes: Span<UInt8>, _ meta: Box) throws(FormatError) -> Bool {
    let boxes = try Box.boxes(bytes, in: try meta.fullBox(bytes).fields.rest)
    return boxes.contains { $0.type == "pitm" }
  }

  /// Returns an item.
  package func item(_ identifier: Int) throws(FormatError) -> Item {
    guard let item = items[identifier] else {
      throw .malformed("item \(identifier) is missing")
    }
    return item
  }

  /// Returns the content of an item.
  package func content(of item: Item, _ bytes: Span<UInt8>) throws(FormatError) -> [UInt8] {
    switch item.location {
    case .none: return []
    case .unsupported(let message): throw FormatError(.unsupported, message)
    case .extents(let extents):
      if extents.count == 1 { return bytes.bytes(extents[0]) }
      return extents.flatMap { bytes.bytes($0) }
    }
  }

  private static func primary(_ bytes: Span<UInt8>, _ box: Box) throws(FormatError) -> Int {
    var (version, _, fields) = try box.fullBox(bytes)
    return try fields.integer(version == 0 ? 2 : 4, bytes)
  }

  private mutating func readItems(_ bytes: Span<UInt8>, _ box: Box) throws(FormatError) {
    var (version, _, fields) = try box.fullBox(bytes)
    let count = try fields.integer(version == 0 ? 2 : 4, bytes)
    let entries = try Box.boxes(bytes, in: fields.rest)
    guard entries.count == count else {
      throw .malformed(
        at: box.range.lowerBound,
        "the box iinf has \(entries.count) items instead of \(count)"
      )
    }
    for entry in entries where entry.type == "infe" {
      guard let item = try Self.item(bytes, entry) else { continue }
      guard items.updateValue(item, forKey: item.identifier) == nil else {
        throw .malformed(at: entry.range.lowerBound, "item \(item.identifier) is listed twice")
      }
      order.append(item.identifier)
    }
  }

  /// Returns the item of a box `infe`, or nil if it has no type, as in versions 0 and 1.
  private static func item(_ bytes: Span<UInt8>, _ box: Box) throws(FormatError) -> Item? {
    var (version, flags, fields) = try box.fullBox(bytes)
    guard version >= 2 else { return nil }
    let identifier = try fields.integer(version == 2 ? 2 : 4, bytes)
    try fields.skip(2)
    var item = Item(identifier, try fields.code(bytes))
    item.isHidden = flags & 1 == 1
    _ = fields.text(bytes)
    if item.type == "mime" {
      item.contentType = fields.text(bytes)
      item.contentEncoding = fields.text(bytes)
    }
    return item
  }

  private mutating func readReferences(_ bytes: Span<UInt8>, _ box: Box) throws(FormatError) {
    let (version, _, fields) = try box.fullBox(bytes)
    let size = version == 0 ? 2 : 4
    var derived: Set<Int> = []
    for entry in try Box.boxes(bytes, in: fields.rest) {
      var fields = entry.fields
      let identifier = try fields.integer(size, bytes)
      var reference = Item.Reference(type: entry.type, targets: [])
      for _ in 0..<(try fields.integer(2, bytes)) {
        reference.targets.append(try fields.integer(size, bytes))
      }
      // The order of the images that an image is derived from matters.
      guard entry.type != "dimg" || !derived.contains(identifier) else {
        throw .malformed(
          at: entry.range.lowerBound,
          "the images of item \(identifier) are listed twice"
        )
      }
      items[identifier]?.references.append(reference)
      if entry.type == "dimg", !reference.targets.isEmpty, items[identifier] != nil {
        derived.insert(identifier)
      }
    }
  }
}
