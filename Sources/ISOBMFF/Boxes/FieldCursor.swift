/// A position in the content of a box, from which one field is read after another.
struct FieldCursor {
  private(set) var position: Int
  private let end: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The bytes that are not read yet.
  var rest: Range<Int> { position..<end }

  /// Passes bytes.
  mutating func skip(_ count: Int) throws(FormatError) {
    guard count <= end - position else {
      throw .malformed(at: position, "a box ends within its fields")
    }
    position += count
  }

  /// Reads an unsigned integer of up to eight bytes; an integer of no bytes is 0.
  mutating func integer(_ size: Int, _ bytes: Span<UInt8>) throws(FormatError) -> Int {
    let start = position
    let value = try bits(size, bytes)
    // Sums of a few such numbers do not overflow.
    guard value <= UInt64(Int.max >> 2) else {
      throw .malformed(at: start, "the number \(value) is too large")
    }
    return Int(value)
  }

  private mutating func bits(_ size: Int, _ bytes: Span<UInt8>) throws(FormatError) -> UInt64 {
    let start = position
    try skip(size)
    var value: UInt64 = 0
    for index in start..<position { value = value << 8 | UInt64(bytes[index]) }
    return value
  }

  /// Reads a signed integer of two or four bytes.
  mutating func signedInteger(_ size: Int, _ bytes: Span<UInt8>) throws(FormatError) -> Int {
    let value = try bits(size, bytes)
    return size == 2
      ? Int(Int16(truncatingIfNeeded: value)) : Int(Int32(truncatingIfNeeded: value))
  }

  mutating func code(_ bytes: Span<UInt8>) throws(FormatError) -> FourCharacterCode {
    FourCharacterCode(rawValue: UInt32(truncatingIfNeeded: try bits(4, bytes)))
  }

  /// Reads Latin-1 characters up to a zero byte, or up to the end.
  mutating func text(_ bytes: Span<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    while position < end, bytes[position] != 0 {
      scalars.append(Unicode.Scalar(bytes[position]))
      position += 1
    }
    position = min(position + 1, end)
    return String(scalars)
  }
}
