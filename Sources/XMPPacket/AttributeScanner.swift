/// Finds the raw attribute values of a tag that the parser has accepted.
///
/// Expat reports the range of a tag, but not those of its attributes. The tag is well-formed, so names end at `=` and
/// values at the quote that opened them.
struct AttributeScanner {
  private let bytes: [UInt8]
  private let end: Int
  private var position: Int

  /// Creates a scanner of the tag at `tag`, from `<` to `>`.
  init(_ bytes: [UInt8], tag: Range<Int>) {
    self.bytes = bytes
    self.position = tag.lowerBound
    self.end = tag.upperBound
  }

  /// Returns the ranges between the quotes in document order, without namespace declarations.
  mutating func valueRanges() -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    skip { !isXMLSpace($0) }
    while true {
      skip(while: isXMLSpace)
      let nameStart = position
      skip { $0 != equals }
      let declares = declaresNamespace(at: nameStart)
      skip { $0 != singleQuote && $0 != doubleQuote }
      guard position < end else { return ranges }
      let quote = bytes[position]
      position += 1
      let valueStart = position
      skip { $0 != quote }
      if !declares { ranges.append(valueStart..<position) }
      position = min(position + 1, end)
    }
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while position < end, condition(bytes[position]) { position += 1 }
  }

  private func declaresNamespace(at start: Int) -> Bool {
    guard bytes[start..<end].starts(with: "xmlns".utf8) else { return false }
    let next = bytes[start + 5]
    return next == colon || next == equals || isXMLSpace(next)
  }
}

private let equals = UInt8(ascii: "=")
private let colon = UInt8(ascii: ":")
private let singleQuote = UInt8(ascii: "'")
private let doubleQuote = UInt8(ascii: "\"")
