/// Text and the values of attributes, with references, comments and carriage returns.
extension PlainParser {
  /// Text or a value, as far as possible as a part of the packet.
  struct Text {
    /// What precedes ``rest``, and is not in the packet as it is.
    var beginning: [UInt8] = []
    /// The last bytes of the text in the packet.
    var rest: Range<Int>
    /// Whether it differs from its bytes in the packet.
    var isChanged = false

    /// The place in the packet; nil if the text is not there as it is.
    var range: Range<Int>? { isChanged ? nil : rest }

    /// Whether there is no text, and nothing in its place.
    var isEmpty: Bool { rest.isEmpty && !isChanged }
  }

  func text(_ text: Text) -> String {
    if let range = text.range { return self.text(range) }
    return String(decoding: text.beginning + bytes[text.rest], as: UTF8.self)
  }

  /// Reads the text before a tag.
  mutating func readText() throws(NotPlain) -> Text {
    var text = Text(rest: position..<position)
    while true {
      switch byte(0) {
      case less:
        guard byte(1) == UInt8(ascii: "!") else {
          text.rest = text.rest.lowerBound..<position
          return text
        }
        take(&text)
        try skipComment()
        text.rest = position..<position
      case ampersand:
        try readReference(in: &text)
      case carriageReturn:
        try readLineEnd(in: &text, as: lineFeed)
      // It is not allowed after `]]`.
      case greater:
        throw NotPlain()
      case lineFeed, tab:
        position += 1
      default:
        try skipCharacter()
      }
    }
  }

  /// Reads the value of an attribute, to its closing quotation mark (XML 1.0, 3.3.3).
  mutating func readValue(until quote: UInt8) throws(NotPlain) -> Text {
    var value = Text(rest: position..<position)
    while case let byte = byte(0), byte != quote {
      switch byte {
      case less:
        throw NotPlain()
      case ampersand:
        try readReference(in: &value)
      case lineFeed, tab, carriageReturn:
        try readLineEnd(in: &value, as: space)
      default:
        try skipCharacter()
      }
    }
    value.rest = value.rest.lowerBound..<position
    return value
  }

  /// Adds the bytes before the position to what is not in the packet as it is.
  private func take(_ text: inout Text) {
    text.beginning += bytes[text.rest.lowerBound..<position]
    text.isChanged = true
  }

  /// Reads white space that means another character; CR LF is one line end (XML 1.0, 2.11).
  private mutating func readLineEnd(in text: inout Text, as character: UInt8) throws(NotPlain) {
    take(&text)
    text.beginning.append(character)
    position += byte(0) == carriageReturn && byte(1) == lineFeed ? 2 : 1
    text.rest = position..<position
  }

  /// Reads a reference to a character or a predefined entity (XML 1.0, 4.1, 4.6).
  private mutating func readReference(in text: inout Text) throws(NotPlain) {
    take(&text)
    if let (name, character) = entities.first(where: { follows($0.name) }) {
      position += name.utf8CodeUnitCount
      text.beginning.append(character)
    } else {
      let scalar = try readCharacterReference()
      text.beginning += UTF8.encode(scalar).map { Array($0) } ?? []
    }
    text.rest = position..<position
  }

  private mutating func readCharacterReference() throws(NotPlain) -> Unicode.Scalar {
    guard follows("&#") else { throw NotPlain() }
    position += 2
    let base: UInt32 = byte(0) == UInt8(ascii: "x") ? 16 : 10
    if base == 16 { position += 1 }
    let start = position
    var number: UInt32 = 0
    while let digit = digit(byte(0)), digit < base {
      number = number * base + digit
      guard number <= 0x10FFFF else { throw NotPlain() }
      position += 1
    }
    guard position > start, byte(0) == UInt8(ascii: ";"), let scalar = Unicode.Scalar(number),
      isCharacter(scalar)
    else { throw NotPlain() }
    position += 1
    return scalar
  }

  private mutating func skipComment() throws(NotPlain) {
    guard follows("<!--") else { throw NotPlain() }
    position += 4
    while !follows("--") {
      if isXMLSpace(byte(0)) { position += 1 } else { try skipCharacter() }
    }
    guard byte(2) == greater else { throw NotPlain() }
    position += 3
  }
}

private let ampersand = UInt8(ascii: "&")
private let tab: UInt8 = 0x09
private let lineFeed: UInt8 = 0x0A
private let carriageReturn: UInt8 = 0x0D

private let entities: [(name: StaticString, character: UInt8)] = [
  ("&lt;", less), ("&gt;", greater), ("&amp;", ampersand), ("&quot;", UInt8(ascii: "\"")),
  ("&apos;", UInt8(ascii: "'")),
]

/// Returns the value of a hexadecimal digit.
private func digit(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}

/// Returns whether a character may be in XML (XML 1.0, 2.2).
private func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x09, 0x0A, 0x0D: true
  case 0x20... where scalar.value != 0xFFFE && scalar.value != 0xFFFF: true
  default: false
  }
}
