internal import FileBytes

/// The coefficients of an original that the estimate from its re-encoded image does not give, as a compact code.
///
/// Created by ``Redraw/redraw(_:exceptions:distortion:)``. The bytes are a version, a CRC-32, the number of exceptions,
/// the number of components, the lengths of all codes except the last, and the codes (see ``ExceptionCoder``).
package struct RedrawExceptions: Hashable, Sendable {
  /// Why bytes are not exceptions, or not those of an image.
  package enum Failure: Error, Hashable, Sendable {
    /// The bytes end before their checksum, or a number is incomplete.
    case truncated
    case unknownVersion(UInt8)
    case damaged
    /// The bytes are valid, but belong to another image or another redraw.
    case otherImage
  }

  /// The number of exceptions.
  package let count: Int
  let codes: [[UInt8]]

  private static let version: UInt8 = 2

  init(_ components: [(count: Int, code: [UInt8])]) {
    count = components.reduce(0) { $0 + $1.count }
    codes = components.map { $0.code }
  }

  /// Creates an empty set of exceptions.
  package init(components: Int) {
    self.init([(count: Int, code: [UInt8])](repeating: (0, []), count: components))
  }

  /// The bytes to be stored.
  package var serialized: [UInt8] {
    // The last code extends to the end.
    let numbers = ([count, codes.count] + codes.dropLast().map { $0.count }).flatMap(Self.groups)
    let content = numbers + codes.flatMap { $0 }
    return [Self.version] + content.crc32.bytes(.big) + content
  }

  /// Reads the bytes of ``serialized``.
  package init(serialized bytes: [UInt8]) throws(Failure) {
    guard let version = bytes.first else { throw .truncated }
    guard version == Self.version else { throw .unknownVersion(version) }
    guard bytes.count > 5 else { throw .truncated }
    var rest = bytes[5...]
    guard bytes.span.uint32(at: 1) == Array(rest).crc32 else { throw .damaged }
    count = try Self.number(&rest)
    var sizes: [Int] = []
    for _ in 1..<max(try Self.number(&rest), 1) {
      guard sizes.count < 255 else { throw .truncated }
      sizes.append(try Self.number(&rest))
    }
    var codes: [[UInt8]] = []
    for size in sizes {
      guard size <= rest.count else { throw .truncated }
      codes.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    self.codes = codes + [Array(rest)]
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) throws(Failure) -> Int {
    let groups = bytes.prefix { $0 & 0x80 != 0 }
    guard groups.count < 8, bytes.count > groups.count else { throw .truncated }
    let number = bytes.prefix(groups.count + 1).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    bytes = bytes.dropFirst(groups.count + 1)
    return number
  }

  /// Returns a number as groups of seven bits, the most significant first; all except the last have the highest bit
  /// set.
  private static func groups(_ number: Int) -> [UInt8] {
    var result = [UInt8(number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      result.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return result.reversed()
  }
}
