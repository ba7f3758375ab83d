/// A parser of the plain notation of nearly all packets, which is several times as fast as expat.
///
/// It has the same events as expat, or none at all: it knows no CDATA sections and declarations, no default namespace, no
/// comments outside of the root element, and no names outside ASCII. What it does not know, and all that may not be
/// well-formed, is left to expat; a build without expat refuses it.
package struct PlainParser {
  /// Why expat has to parse a part.
  struct NotPlain: Error {}

  let bytes: [UInt8]
  var position: Int
  private var part = XMLPart()
  /// The URIs that were declared; the first is that of names without a prefix.
  private var namespaces = ["", XMPNamespace.xml]
  private var prefixes: [Prefix] = []
  /// The names in the start tags of the elements that are open.
  private var names: [Range<Int>] = []
  private var attributes: [Attribute] = []
  private var isASCII = true

  /// The maximum number of attributes of a tag, and of declarations: each is compared with those before it.
  private static let maxCount = 256

  private init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    position = start
  }

  /// Parses from `start` to the end of the first root element; returns nil if expat has to.
  package static func read(_ bytes: [UInt8], from start: Int) -> XMLPart? {
    var parser = PlainParser(bytes, from: start)
    do throws(NotPlain) { try parser.readPart() } catch { return nil }
    guard parser.isASCII || areCharacters(bytes[start..<parser.position]) else { return nil }
    return parser.part
  }

  private mutating func readPart() throws(NotPlain) {
    skipSpace()
    while position < bytes.count, follows("<?xpacket ") {
      try readInstruction()
      skipSpace()
    }
    guard position < bytes.count else { return }
    repeat {
      let text = try readText()
      // Only white space is allowed before the root element, and was skipped.
      guard !names.isEmpty || text.isEmpty else { throw NotPlain() }
      if byte(1) == slash { try readEndTag(after: text) } else { try readStartTag() }
    } while !names.isEmpty
    part.ending = .root(end: position)
  }

  /// Reads a processing instruction outside of the root element.
  private mutating func readInstruction() throws(NotPlain) {
    let start = position
    position += 10
    guard byte(0) != space else { throw NotPlain() }
    if follows("end") { part.packetEnds.append(start) }
    // Nearly every packet has a byte order mark here, and most no other character outside ASCII.
    if follows("begin=\"\u{FEFF}\"") { position += 11 }
    while !follows("?>") { try skipCharacter() }
    position += 2
  }

  /// Skips a byte of a character that is neither a control character nor white space other than a space.
  mutating func skipCharacter() throws(NotPlain) {
    let byte = byte(0)
    guard byte >= 0x20 else { throw NotPlain() }
    if byte >= 0x80 { isASCII = false }
    position += 1
  }

  /// Returns whether bytes are characters of XML in UTF-8 (XML 1.0, 2.2), apart from control characters.
  private static func areCharacters(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return !text.unicodeScalars.contains { $0 == "\u{FFFE}" || $0 == "\u{FFFF}" }
  }

  private mutating func readStartTag() throws(NotPlain) {
    guard names.count < XMPPacket.maximumDepth else { throw NotPlain() }
    let start = position
    position += 1
    let name = try readName()
    names.append(start + 1..<position)
    attributes.removeAll(keepingCapacity: true)
    while true {
      let end = position
      skipSpace()
      if byte(0) == greater || byte(0) == slash { break }
      guard position > end else { throw NotPlain() }
      try readAttribute()
    }
    part.nameCount += 1 + attributes.count
    guard part.nameCount <= XMPPacket.maximumNameCount else { throw NotPlain() }
    let isEmpty = byte(0) == slash
    if isEmpty { position += 1 }
    guard byte(0) == greater else { throw NotPlain() }
    position += 1
    // The namespaces of an element and its attributes may be declared by any of these.
    let namespace = try namespace(of: name.prefix)
    part.events.append(
      .start(
        XMLName(namespace: namespaces[namespace], local: text(name.local)),
        attributes: try resolvedAttributes(),
        tag: start..<position
      )
    )
    // Expat reports the end of an empty element after its tag.
    if isEmpty { end(text: "", offset: position) }
  }

  private mutating func readEndTag(after text: Text) throws(NotPlain) {
    let start = position
    position += 2
    guard let name = names.last, bytes.count - position > name.count,
      equal(position..<position + name.count, name)
    else { throw NotPlain() }
    position += name.count
    skipSpace()
    guard byte(0) == greater else { throw NotPlain() }
    position += 1
    end(text: self.text(text), offset: start)
  }

  private mutating func end(text: String, offset: Int) {
    part.events.append(.end(text: text, offset: offset))
    while let last = prefixes.last, last.depth == names.count { prefixes.removeLast() }
    names.removeLast()
  }

  /// Reads an attribute, or a declaration of a namespace.
  private mutating func readAttribute() throws(NotPlain) {
    let name = try readName()
    skipSpace()
    guard byte(0) == UInt8(ascii: "=") else { throw NotPlain() }
    position += 1
    skipSpace()
    let quote = byte(0)
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw NotPlain() }
    position += 1
    let value = try readValue(until: quote)
    position += 1
    if isName(name.prefix, "xmlns") {
      guard let uri = value.range else { throw NotPlain() }
      try declare(name.local, uri)
    } else if name.prefix.isEmpty, isName(name.local, "xmlns") {
      throw NotPlain()
    } else {
      attributes.append(Attribute(name: name, value: value))
    }
  }

  private mutating func declare(_ prefix: Range<Int>, _ value: Range<Int>) throws(NotPlain) {
    let uri = text(value)
    guard !value.isEmpty, value.count <= XMPPacket.maximumNamespaceLength,
      namespaces.count < Self.maxCount, prefixes.count < Self.maxCount,
      !uri.hasPrefix("http://www.w3.org/XML/"), !uri.hasPrefix("http://www.w3.org/2000/xmlns"),
      !isName(prefix.prefix(3), "xml"),
      !prefixes.contains(where: { $0.depth == names.count && equal($0.name, prefix) })
    else { throw NotPlain() }
    let known = namespaces.firstIndex(of: uri)
    if known == nil { namespaces.append(uri) }
    prefixes.append(
      Prefix(name: prefix, namespace: known ?? namespaces.count - 1, depth: names.count)
    )
  }

  /// Returns the attributes of the current tag; an attribute that is there twice is not well-formed.
  private mutating func resolvedAttributes() throws(NotPlain) -> [XMLAttribute] {
    var result: [XMLAttribute] = []
    guard !attributes.isEmpty else { return result }
    guard attributes.count <= Self.maxCount else { throw NotPlain() }
    result.reserveCapacity(attributes.count)
    for index in attributes.indices {
      let name = attributes[index].name
      let namespace = try namespace(of: name.prefix)
      attributes[index].namespace = namespace
      for other in attributes[..<index]
      where other.namespace == namespace && equal(other.name.local, name.local) {
        throw NotPlain()
      }
      result.append(
        XMLAttribute(
          name: XMLName(namespace: namespaces[namespace], local: text(name.local)),
          value: text(attributes[index].value)
        )
      )
    }
    return result
  }

  /// Returns the index of a prefix's namespace.
  private func namespace(of prefix: Range<Int>) throws(NotPlain) -> Int {
    if prefix.isEmpty { return 0 }
    if let found = prefixes.last(where: { equal($0.name, prefix) }) { return found.namespace }
    guard isName(prefix, "xml") else { throw NotPlain() }
    return 1
  }

  /// Reads a name with at most one prefix.
  private mutating func readName() throws(NotPlain) -> Name {
    let start = position
    try skipPart()
    guard byte(0) == UInt8(ascii: ":") else {
      return Name(prefix: start..<start, local: start..<position)
    }
    let prefix = start..<position
    position += 1
    try skipPart()
    return Name(prefix: prefix, local: prefix.upperBound + 1..<position)
  }

  /// Skips a name without a prefix.
  private mutating func skipPart() throws(NotPlain) {
    let start = position
    guard isLetter(byte(0)) else { throw NotPlain() }
    repeat { position += 1 } while isLetter(byte(0)) || isLaterInName(byte(0))
    guard position - start <= XMPPacket.maximumNameLength else { throw NotPlain() }
  }

  private mutating func skipSpace() {
    while isXMLSpace(byte(0)) { position += 1 }
  }

  /// The byte at a distance, or 0, which no character has, after the end.
  func byte(_ distance: Int) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  func follows(_ text: StaticString) -> Bool {
    isName(position..<min(position + text.utf8CodeUnitCount, bytes.count), text)
  }

  private func isName(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { text in
      range.indices.allSatisfy { unsafe bytes[$0] == text[$0 - range.lowerBound] }
    }
  }

  private func equal(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    a.count == b.count
      && a.indices.allSatisfy { bytes[$0] == bytes[$0 - a.lowerBound + b.lowerBound] }
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// A name in a tag.
private struct Name {
  var prefix: Range<Int>
  var local: Range<Int>
}

private struct Attribute {
  var name: Name
  var value: PlainParser.Text
  var namespace = 0
}

/// A prefix that an element declares.
private struct Prefix {
  var name: Range<Int>
  var namespace: Int
  /// The number of elements that were open.
  var depth: Int
}

let space = UInt8(ascii: " ")
let less = UInt8(ascii: "<")
let greater = UInt8(ascii: ">")
private let slash = UInt8(ascii: "/")

private func isLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
}

/// Returns whether a byte may be in a name, but not its first.
private func isLaterInName(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    || byte == UInt8(ascii: ".")
}
