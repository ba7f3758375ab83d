/// Writes numbers and byte strings in a compact form: variable-length integers (LEB128), seven bits a byte, the lowest
/// bits first.
package struct CompactWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends a number.
  package mutating func write(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends the number of bytes, then the bytes.
  package mutating func write(_ content: [UInt8]) {
    write(content.count)
    bytes += content
  }
}

/// Reads what ``CompactWriter`` wrote, from untrusted bytes.
package struct CompactReader: Sendable {
  /// The bytes end too early, or a number is out of range.
  package struct Failure: Error, Hashable, Sendable {
    /// The offset at which it was noticed.
    package var offset: Int

    package init(offset: Int) { self.offset = offset }
  }

  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether all bytes were read.
  package var isAtEnd: Bool { position == bytes.count }

  /// Reads a number within a range.
  package mutating func number(in range: ClosedRange<Int> = 0...Int.max) throws(Failure) -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      // At most nine bytes: the number is below 2⁶³.
      guard position < bytes.count, shift < 63 else { throw Failure(offset: position) }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 { break }
    }
    guard let number = Int(exactly: Int64(bitPattern: value)), range.contains(number) else {
      throw Failure(offset: position)
    }
    return number
  }

  /// Reads a byte string and its count.
  package mutating func content() throws(Failure) -> [UInt8] {
    let count = try number(in: 0...bytes.count - position)
    guard count <= bytes.count - position else { throw Failure(offset: position) }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }
}
