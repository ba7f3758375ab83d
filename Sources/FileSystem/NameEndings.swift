/// The endings of some names: the bytes after the last dot, in any case.
///
/// Those of a directory are few, so they are compared with many others at once.
package struct NameEndings: Sendable {
  /// The endings of up to eight bytes.
  private var endings: [UInt64] = []
  /// Whether there are other names.
  private var hasOthers = false

  /// Creates the endings of names.
  package init(_ names: some Sequence<String>) {
    for name in names { insert(name.utf8) }
  }

  init(_ entries: [DirectoryEntry]) {
    for entry in entries { insert(entry.name) }
  }

  private mutating func insert(_ name: some BidirectionalCollection<UInt8>) {
    guard let ending = Self.ending(of: name) else {
      hasOthers = true
      return
    }
    // A directory has few endings, which often alternate.
    if !endings.contains(ending) { endings.append(ending) }
  }

  /// Whether one of some names may have the ending of one of these, as far as endings of these are short.
  func mayHave(anyOf others: NameEndings) -> Bool {
    others.hasOthers || endings.contains(where: others.endings.contains)
  }

  /// Returns the bytes after the last dot, in small letters; nil if they are none or more than eight.
  private static func ending(of name: some BidirectionalCollection<UInt8>) -> UInt64? {
    var ending: UInt64 = 0
    var count = 0
    for byte in name.reversed() {
      guard byte != UInt8(ascii: ".") else { return count > 0 ? ending : nil }
      guard count < 8 else { return nil }
      ending |= UInt64(NameRule.small(byte)) << (8 * count)
      count += 1
    }
    return nil
  }
}
