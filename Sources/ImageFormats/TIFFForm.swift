internal import FileBytes

/// The byte order of a TIFF file, and the size of its offsets.
struct TIFFForm: Sendable {
  let order: ByteOrder
  /// Whether offsets and counts have eight bytes, as in BigTIFF.
  let isBig: Bool

  var offsetSize: Int { isBig ? 8 : 4 }
  /// The size of a directory's number of entries.
  var countSize: Int { isBig ? 8 : 2 }
  var entrySize: Int { isBig ? 20 : 12 }
  /// The offset of the value in an entry.
  var valueOffset: Int { isBig ? 12 : 8 }

  /// Returns the unsigned integer of a size at a place; nil if it is not within the bytes.
  func integer(_ bytes: [UInt8], at place: Int, _ size: Int) -> Int64? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    let field = bytes[place..<place + size]
    let value = (order == .big ? Array(field) : field.reversed()).reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Int64(clamping: value)
  }

  /// Returns the bytes of an integer.
  func bytes(_ value: Int, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: Int64(value) >> Int64(8 * $0)) }
    return order == .big ? bytes.reversed() : bytes
  }
}
