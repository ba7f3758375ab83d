package import SystemPackage

/// The names of our temporary files: `.NAME.upright-XXXXXX.tmp`, next to the file they become.
package enum TemporaryName {
  private static let mark = Array(".upright-".utf8)
  private static let end = Array(".tmp".utf8)
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let randomCount = 6

  /// The longest name that common file systems take, in bytes.
  private static let maxNameLength = 255

  /// A new random name for a file that will become `name`; a long name is cut to make room.
  package static func random(for name: FilePath.Component) -> FilePath.Component {
    let room = maxNameLength - 1 - mark.count - randomCount - end.count
    let stem = prefix(of: name.bytes, upTo: room)
    let random = (0..<randomCount).map { _ in alphabet[Int.random(in: alphabet.indices)] }
    return FilePath.Component(bytes: Array(".".utf8) + stem + mark + random + end) ?? name
  }

  /// Whether a name is one of ours, left behind by a run that was killed.
  package static func matches(_ name: FilePath.Component) -> Bool { matches(name.bytes) }

  /// The same of a name in bytes.
  static func matches(_ bytes: [UInt8]) -> Bool {
    guard bytes.first == UInt8(ascii: ".") else { return false }
    let tail = bytes.suffix(mark.count + randomCount + end.count)
    return tail.starts(with: mark)
      && tail.suffix(end.count).elementsEqual(end)
      && tail.dropFirst(mark.count).prefix(randomCount).allSatisfy(alphabet.contains)
  }

  /// The first bytes, without cutting a UTF-8 character: some file systems refuse half of one.
  private static func prefix(of bytes: [UInt8], upTo count: Int) -> ArraySlice<UInt8> {
    guard bytes.count > count else { return bytes[...] }
    var end = count
    while end > count - 3, bytes[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
    return bytes[..<end]
  }
}
