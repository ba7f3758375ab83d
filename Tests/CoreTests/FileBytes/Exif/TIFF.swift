import FileBytes

/// Writes small TIFF blocks, valid or invalid, entry by entry.
struct TIFF {
  struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    /// The four bytes after the count: the value or its offset.
    var field: [UInt8]
  }

  let order: ByteOrder
  private(set) var bytes: [UInt8]

  init(_ order: ByteOrder, firstDirectory: UInt32 = 8) {
    self.order = order
    bytes = (order == .little ? [0x49, 0x49] : [0x4D, 0x4D]) + UInt16(42).bytes(order)
    bytes += firstDirectory.bytes(order)
  }

  /// Returns an entry with one inline value of 1, 2 or 4 bytes.
  func entry(_ tag: UInt16, type: UInt16, _ value: Int, count: UInt32 = 1) -> Entry {
    let encoded =
      switch type {
      case 3, 8: UInt16(truncatingIfNeeded: value).bytes(order)
      case 4, 9, 13: UInt32(truncatingIfNeeded: value).bytes(order)
      default: [UInt8(truncatingIfNeeded: value)]
      }
    let field = encoded + [UInt8](repeating: 0, count: 4 - encoded.count)
    return Entry(tag: tag, type: type, count: count, field: field)
  }

  /// Appends a directory.
  mutating func directory(_ entries: [Entry], next: UInt32 = 0) {
    bytes += UInt16(entries.count).bytes(order)
    for entry in entries {
      bytes += entry.tag.bytes(order) + entry.type.bytes(order) + entry.count.bytes(order)
      bytes += entry.field
    }
    bytes += next.bytes(order)
  }

  mutating func append(_ more: [UInt8]) { bytes += more }

  /// The offset of the next directory.
  var end: Int { bytes.count }

  /// The block as it is read.
  func block() -> TIFFBlock? { TIFFBlock(bytes, in: 0..<bytes.count) }
}
