package import SystemPackage

/// The names of temporary files: `.NAME.upright-XXXXXX.tmp`, next to the final file.
///
/// A finished file whose final name is reserved by an empty file ends in `.new` instead.
package enum TemporaryName {
  private static let mark = Array(".upright-".utf8)
  private static let end = Array(".tmp".utf8)
  private static let reservedEnd = Array(".new".utf8)
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let randomCount = 6

  /// The maximum length of a name on common file systems in bytes.
  private static let maxNameLength = 255

  /// Returns a new random name for a file that will be renamed to `name`; a long name is truncated.
  package static func random(for name: FilePath.Component) -> FilePath.Component {
    let stem = stem(of: name.bytes)
    let random = (0..<randomCount).map { _ in alphabet[Int.random(in: alphabet.indices)] }
    return FilePath.Component(bytes: Array(".".utf8) + stem + mark + random + end) ?? name
  }

  /// Whether a name is a temporary name of Upright.
  package static func matches(_ name: FilePath.Component) -> Bool { matches(name.bytes) }

  /// Whether a name in bytes is a temporary name of Upright.
  static func matches(_ bytes: [UInt8]) -> Bool {
    guard bytes.first == UInt8(ascii: ".") else { return false }
    let tail = bytes.suffix(mark.count + randomCount + end.count)
    return tail.starts(with: mark)
      && [end, reservedEnd].contains(Array(tail.suffix(end.count)))
      && tail.dropFirst(mark.count).prefix(randomCount).allSatisfy(alphabet.contains)
  }

  /// Returns the name of a finished file whose final name is about to be reserved.
  static func reserving(_ temporary: FilePath.Component) -> FilePath.Component {
    FilePath.Component(bytes: temporary.bytes.dropLast(end.count) + reservedEnd) ?? temporary
  }

  /// Whether a name is that of a finished file whose final name may be reserved.
  static func isReserving(_ temporary: [UInt8]) -> Bool {
    matches(temporary) && temporary.suffix(reservedEnd.count).elementsEqual(reservedEnd)
  }

  /// Whether a name is that of the finished file whose final name is `name`.
  static func isReserving(_ temporary: [UInt8], _ name: [UInt8]) -> Bool {
    let tail = mark.count + randomCount + end.count
    return isReserving(temporary)
      && temporary.dropFirst().dropLast(tail).elementsEqual(stem(of: name))
  }

  private static func stem(of name: [UInt8]) -> ArraySlice<UInt8> {
    prefix(of: name, upTo: maxNameLength - 1 - mark.count - randomCount - end.count)
  }

  /// Returns the first bytes, without splitting a UTF-8 character, which some file systems refuse.
  private static func prefix(of bytes: [UInt8], upTo count: Int) -> ArraySlice<UInt8> {
    guard bytes.count > count else { return bytes[...] }
    var end = count
    while end > count - 3, bytes[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
    return bytes[..<end]
  }
}
