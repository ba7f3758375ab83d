internal import ISOBMFF

/// Reads bits from the least significant one of each byte.
struct LeastSignificantBits {
  let bytes: [UInt8]
  /// The position of the next bit.
  var position = 0

  /// Returns an integer of a number of bits, the lowest first.
  mutating func read(_ count: Int) throws(FormatError) -> Int {
    guard position + count <= 8 * bytes.count else { throw .truncated("the data ends too early") }
    defer { position += count }
    return (position..<position + count).reversed().reduce(0) {
      $0 << 1 | Int(bytes[$1 / 8] >> UInt8($1 % 8) & 1)
    }
  }
}
