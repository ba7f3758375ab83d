/// A position in coded headers, from which bits are read (ITU-T H.265, 9.1; AV1, 4.10).
struct BitCursor {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads up to 32 bits, the highest first.
  mutating func bits(_ count: Int) throws(FormatError) -> Int {
    guard count <= bytes.count * 8 - position else {
      throw .malformed("the header of a coded image is not complete")
    }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() throws(FormatError) -> Bool { try bits(1) == 1 }

  mutating func skip(_ count: Int) throws(FormatError) {
    for start in stride(from: 0, to: count, by: 32) { _ = try bits(min(32, count - start)) }
  }

  /// Reads an unsigned Exp-Golomb code, or an AV1 `uvlc`, which is the same.
  mutating func exponentialGolomb() throws(FormatError) -> Int {
    var zeros = 0
    while try !flag() {
      zeros += 1
      guard zeros < 32 else {
        throw .malformed("the header of a coded image has a number of more than 32 bits")
      }
    }
    return try (1 << zeros) - 1 + bits(zeros)
  }
}
