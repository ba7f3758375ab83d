/// The coefficients of an original that its redrawn picture does not tell, in a compact code.
///
/// Made by ``Redraw/exceptions(of:from:)``. The bytes are a version, the number of exceptions, a checksum and
/// the arithmetic code; what the code means depends on the redrawn coefficients.
package struct RedrawExceptions: Hashable, Sendable {
  /// Why bytes are no exceptions, or not those of a picture.
  package enum Failure: Error, Hashable, Sendable {
    /// The bytes end before their checksum, or the number in them has no end.
    case truncated
    /// They are of a version that is not known.
    case unknownVersion(UInt8)
    /// The checksum does not fit.
    case damaged
    /// They are sound, but belong to another picture or another redraw.
    case otherPicture
  }

  /// How many coefficients are exceptions.
  package let count: Int
  /// The arithmetic code.
  let code: [UInt8]

  private static let version: UInt8 = 1

  init(count: Int, code: [UInt8]) {
    self.count = count
    self.code = code
  }

  /// The bytes to be kept.
  package var serialized: [UInt8] {
    let number = Self.groups(count)
    let checksum = Self.checksum(number + code)
    return [Self.version] + number + (0..<4).map { UInt8(checksum >> (24 - 8 * $0) & 0xFF) } + code
  }

  /// Reads what ``serialized`` gave.
  ///
  /// - Throws: ``Failure``.
  package init(serialized bytes: [UInt8]) throws(Failure) {
    guard let version = bytes.first else { throw .truncated }
    guard version == Self.version else { throw .unknownVersion(version) }
    let number = bytes[1...].prefix { $0 & 0x80 != 0 }
    let start = 1 + number.count + 1
    guard number.count < 8, bytes.count >= start + 4 else { throw .truncated }
    let groups = Array(bytes[1..<start])
    count = groups.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    code = Array(bytes[(start + 4)...])
    let checksum = bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    guard checksum == Self.checksum(groups + code) else { throw .damaged }
  }

  /// A number in groups of seven bits, the most significant first, all but the last marked.
  private static func groups(_ number: Int) -> [UInt8] {
    var result = [UInt8(number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      result.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return result.reversed()
  }

  /// The CRC-32 of ISO/IEC 3309.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320)
      }
    }
  }
}
