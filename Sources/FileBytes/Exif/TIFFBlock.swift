/// The directories of a TIFF block as Exif embeds it, with values as ranges of the file.
///
/// Of damaged blocks everything readable is read, and the rest is listed in ``problems``. Offsets are positions in the
/// file unless stated otherwise.
package struct TIFFBlock: Sendable {
  /// A directory of Exif.
  package enum Kind: String, Sendable, Hashable {
    case ifd0, ifd1, exif, gps, interoperability

    /// The directory's common name.
    package var name: String {
      switch self {
      case .ifd0: "IFD0"
      case .ifd1: "IFD1"
      case .exif: "ExifIFD"
      case .gps: "GPS IFD"
      case .interoperability: "Interop IFD"
      }
    }
  }

  /// One field of a directory.
  package struct Entry: Hashable, Sendable {
    package var directory: Kind
    package var tag: UInt16
    /// The type code, 1 to 13.
    package var type: UInt16
    package var count: UInt32
    /// The offset of the 12-byte entry.
    package var offset: Int
    /// The range of the value; nil if it is not within the block.
    package var value: Range<Int>?

    /// Whether the value is stored in the entry itself.
    package var isInline: Bool { value?.lowerBound == offset + 8 }
  }

  /// A directory in the block.
  struct Directory: Sendable {
    let kind: Kind
    /// From the number of its entries to the offset of the next directory, as far as they are within the block.
    let range: Range<Int>
    /// Whether the offset of the next directory is within the block.
    let hasNext: Bool
    /// The indices of its entries in ``TIFFBlock/entries``.
    fileprivate(set) var entries: Range<Int>
  }

  package private(set) var order = ByteOrder.big
  /// The whole block, from its byte order mark, with the ``gaps`` in it.
  package let range: Range<Int>
  /// The headers of the segments that continue the block, in file order: bytes in ``range`` that belong to no field.
  package let gaps: [Range<Int>]
  package private(set) var entries: [Entry] = []
  /// What could not be read, as text.
  package private(set) var problems: [String] = []
  /// The directories that were read, in the order of their ``entries``.
  private(set) var directories: [Directory] = []
  /// Whether IFD0 was read completely, so a tag that is not in ``entries`` does not exist.
  package private(set) var hasWholeIFD0 = false
  /// The directories whose pointers lead to bytes that are no directory.
  package private(set) var unread: Set<Kind> = []
  /// A directory or a value that is used as a whole and has a gap in it, as text; nil if there is none.
  package private(set) var division: String?
  /// Whether entries were left out because they, or their values, are more than fit into the block: its fields share
  /// bytes, and what a change of one would do to the others is not known.
  package private(set) var isCut = false
  /// The sum of the lengths of the values in bytes.
  private var valueLength = 0

  /// The maximum length of all values relative to the block.
  private static let maxSharing = 8

  private static let exifPointer: UInt16 = 0x8769
  private static let gpsPointer: UInt16 = 0x8825
  private static let interoperabilityPointer: UInt16 = 0xA005

  /// Reads the block in `range`, which goes on after each gap; nil if it does not begin with a TIFF header.
  package init?(_ bytes: Span<UInt8>, in range: Range<Int>, gaps: [Range<Int>] = []) {
    self.range = range.clamped(to: 0..<bytes.count)
    self.gaps = gaps
    let start = self.range.lowerBound
    guard self.range.count >= 8 else { return nil }
    switch bytes.uint16(at: start) {
    case 0x4949: order = .little
    case 0x4D4D: break
    default: return nil
    }
    guard bytes.uint16(at: start + 2, order) == 42,
      let first = bytes.uint32(at: start + 4, order)
    else { return nil }
    // IFD0 and IFD1, and those for the camera, the position and the compatibility.
    directories.reserveCapacity(5)
    var visited = Set<Int64>(minimumCapacity: 5)
    let next = read(.ifd0, at: Int64(first), bytes, &visited)
    if next != 0 { _ = read(.ifd1, at: next, bytes, &visited) }
  }

  /// Returns the size of a value of a type in bytes.
  package static func size(ofType type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: nil
    }
  }

  /// Reads the directory at `offset` within the block and returns the offset of the next one.
  private mutating func read(
    _ kind: Kind,
    at offset: Int64,
    _ bytes: Span<UInt8>,
    _ visited: inout Set<Int64>
  ) -> Int64 {
    let start = place(offset.length)
    guard offset >= 8, start + 2 <= range.upperBound, let count = bytes.uint16(at: start, order)
    else {
      problems.append("\(kind.name) is not within the Exif block (offset \(offset))")
      return 0
    }
    guard visited.insert(offset).inserted else {
      problems.append("\(kind.name) points to a directory that was already read (offset \(offset))")
      return 0
    }
    let extent = start..<min(start + 2 + 12 * Int(count) + 4, range.upperBound)
    guard kind == .ifd0 || isRead(extent, bytes) else {
      unread.insert(kind)
      problems.append("\(kind.name) is not a directory that programs read (offset \(offset))")
      return 0
    }
    if gaps.contains(where: { $0.overlaps(extent) }) {
      division = division ?? kind.name
      _ = cut("\(kind.name) is divided between two segments")
      return 0
    }
    let end = start + 2 + 12 * Int(count)
    let hasNext = end + 4 <= range.upperBound
    let first = entries.count
    let index = directories.count
    directories.append(
      Directory(kind: kind, range: extent, hasNext: hasNext, entries: first..<first)
    )
    let isWhole = readEntries(kind, from: start + 2, Int(count), bytes)
    let own = first..<entries.count
    directories[index].entries = own
    guard isWhole else { return 0 }
    if kind == .ifd0 { hasWholeIFD0 = true }
    for index in own {
      guard let kind = Self.target(of: entries[index]), let target = integer(entries[index], bytes)
      else { continue }
      _ = read(kind, at: target, bytes, &visited)
    }
    return hasNext ? bytes.uint32(at: end, order).map { Int64($0) } ?? 0 : 0
  }

  /// Returns the directory that an entry points to; nil if it is no pointer.
  private static func target(of entry: Entry) -> Kind? {
    switch (entry.directory, entry.tag) {
    case (.ifd0, exifPointer): .exif
    case (.ifd0, gpsPointer): .gps
    case (.exif, interoperabilityPointer): .interoperability
    default: nil
    }
  }

  /// Reads the entries of a directory and returns whether it has them all.
  private mutating func readEntries(
    _ kind: Kind,
    from start: Int,
    _ count: Int,
    _ bytes: Span<UInt8>
  ) -> Bool {
    let most = range.count / 12
    // Reserves space for the following directories, too: reserving the exact size each time would copy each time.
    let needed = entries.count + min(count, most)
    if entries.capacity < needed { entries.reserveCapacity(max(needed, 2 * entries.count, 64)) }
    for index in 0..<count {
      let position = start + 12 * index
      guard position + 12 <= range.upperBound else {
        problems.append("\(kind.name) has \(count) entries, the block ends after \(index)")
        return false
      }
      // Directories that begin within each other, and values that share their bytes, could have any number.
      guard entries.count < most else {
        return cut("\(kind.name) and others have more entries than fit into the Exif block")
      }
      guard valueLength <= Self.maxSharing * range.count else {
        return cut("the values of \(kind.name) and others are longer than fits into the Exif block")
      }
      let entry = entry(kind, at: position, bytes)
      // No program reads an entry without a valid type, so it may be in the bytes of anything else.
      guard kind == .ifd0 || Self.size(ofType: entry.type) != nil else { continue }
      entries.append(entry)
    }
    return true
  }

  /// Leaves out all further entries.
  private mutating func cut(_ problem: String) -> Bool {
    problems.append(problem)
    isCut = true
    return false
  }

  private mutating func entry(_ kind: Kind, at position: Int, _ bytes: Span<UInt8>) -> Entry {
    let tag = bytes.uint16(at: position, order) ?? 0
    let type = bytes.uint16(at: position + 2, order) ?? 0
    let count = bytes.uint32(at: position + 4, order) ?? 0
    var value: Range<Int>?
    if let size = Self.size(ofType: type) {
      // A count that exceeds the block; the product might overflow an Int.
      let length = count > range.count ? max(count.length, 5) : size * Int(count)
      if length <= 4 {
        value = position + 8..<position + 8 + length
      } else if let found = places(bytes.uint32(at: position + 8, order)?.length ?? 0, length),
        // A value that is not inline cannot be in the header, which editing it would destroy.
        found.lowerBound >= range.lowerBound + 8
      {
        value = found
      }
      if let found = value, found.count > length, Self.isUsedWhole(kind, tag, type) {
        division = division ?? "the value of tag \(ExifTag.number(tag)) in \(kind.name)"
        value = nil
      }
    }
    valueLength += value?.count ?? 0
    if value == nil {
      let number = tag.hexadecimal(uppercase: true)
      problems.append(
        "the value of tag 0x\(number) in \(kind.name) is not within the Exif block"
      )
    }
    return Entry(
      directory: kind,
      tag: tag,
      type: type,
      count: count,
      offset: position,
      value: value
    )
  }

  /// Returns the entries of a tag in a directory.
  ///
  /// More than one is invalid, and occurs.
  package func entries(_ directory: Kind, _ tag: UInt16) -> [Entry] {
    var found: [Entry] = []
    for part in directories where part.kind == directory {
      for index in part.entries where entries[index].tag == tag { found.append(entries[index]) }
    }
    return found
  }

  /// Returns the first entry of a tag in a directory.
  package func entry(_ directory: Kind, _ tag: UInt16) -> Entry? {
    for part in directories where part.kind == directory {
      for index in part.entries where entries[index].tag == tag { return entries[index] }
    }
    return nil
  }

  /// Returns the first element of an entry of an integer type.
  package func integer(_ entry: Entry, _ bytes: Span<UInt8>) -> Int64? {
    guard let value = entry.value, !value.isEmpty else { return nil }
    switch entry.type {
    case 1: return Int64(bytes[value.lowerBound])
    case 6: return Int64(Int8(bitPattern: bytes[value.lowerBound]))
    case 3: return bytes.uint16(at: value.lowerBound, order).map { Int64($0) }
    case 8: return bytes.uint16(at: value.lowerBound, order).map { Int64(Int16(bitPattern: $0)) }
    case 4, 13: return bytes.uint32(at: value.lowerBound, order).map { Int64($0) }
    case 9: return bytes.uint32(at: value.lowerBound, order).map { Int64(Int32(bitPattern: $0)) }
    default: return nil
    }
  }

  /// Returns the first integer of the first entry of a tag.
  package func integer(_ directory: Kind, _ tag: UInt16, _ bytes: Span<UInt8>) -> Int64? {
    for part in directories where part.kind == directory {
      for index in part.entries where entries[index].tag == tag {
        if let value = integer(entries[index], bytes) { return value }
      }
    }
    return nil
  }

  /// Returns the bytes of an integer in an entry's type and byte order, or nil if it does not fit.
  package func encoded(_ value: Int64, for entry: Entry) -> [UInt8]? {
    switch entry.type {
    case 1: UInt8(exactly: value).map { [$0] }
    case 6: Int8(exactly: value).map { [UInt8(bitPattern: $0)] }
    case 3: UInt16(exactly: value).map { $0.bytes(order) }
    case 8: Int16(exactly: value).map { UInt16(bitPattern: $0).bytes(order) }
    case 4, 13: UInt32(exactly: value).map { $0.bytes(order) }
    case 9: Int32(exactly: value).map { UInt32(bitPattern: $0).bytes(order) }
    default: nil
    }
  }

  /// Returns the edit that sets the first element of an integer entry; nil if it already has the value, if its type
  /// cannot represent it, or if the value is not inline.
  package func edit(
    _ entry: Entry,
    to new: Int64,
    field: String? = nil,
    _ bytes: Span<UInt8>
  ) -> Edit? {
    guard entry.isInline, let old = integer(entry, bytes), old != new,
      let encoded = encoded(new, for: entry),
      let start = entry.value?.lowerBound
    else { return nil }
    return Edit(
      start..<start + encoded.count,
      with: encoded,
      field: Edit.Field(field ?? entry.field, old: "\(old)", new: "\(new)")
    )
  }

  /// Returns the edits that set every field of a tag in a directory.
  package func edits(
    _ directory: Kind,
    _ tag: UInt16,
    to value: Int64,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    entries(directory, tag).compactMap { edit($0, to: value, bytes) }
  }
}
