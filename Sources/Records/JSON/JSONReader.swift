/// Reads one value of JSON (RFC 8259).
struct JSONReader {
  private typealias Invalid = JSONValue.Invalid

  private let text: [UInt8]
  private var index = 0

  /// The maximum number of objects and arrays in each other, for small stacks.
  private static let maxDepth = 512

  init(_ text: [UInt8]) { self.text = text }

  /// Reads the value that is the whole text.
  mutating func whole() throws(JSONValue.Invalid) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard index == text.count else { throw Invalid() }
    return value
  }

  private mutating func value(depth: Int) throws(Invalid) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < Self.maxDepth else { throw Invalid() }
      return try container(depth: depth + 1)
    case UInt8(ascii: "\""):
      return String(validating: try string(), as: UTF8.self).map { .string($0) } ?? .surrogates
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  /// Reads an object or an array.
  private mutating func container(depth: Int) throws(Invalid) -> JSONValue {
    let isObject = take(UInt8(ascii: "{"))
    if !isObject { index += 1 }
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    var members: [[UInt8]: JSONValue] = [:]
    var values: [JSONValue] = []
    skipSpace()
    if !take(end) {
      repeat {
        if isObject {
          skipSpace()
          let name = try string()
          skipSpace()
          guard take(UInt8(ascii: ":")),
            members.updateValue(try value(depth: depth), forKey: name) == nil
          else { throw Invalid() }
        } else {
          values.append(try value(depth: depth))
        }
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(end) else { throw Invalid() }
    }
    return isObject ? .object(members) : .array(values)
  }

  // MARK: Strings

  /// Reads a string as UTF-8, in which half of a surrogate pair has the three bytes of its number.
  private mutating func string() throws(Invalid) -> [UInt8] {
    guard take(UInt8(ascii: "\"")) else { throw Invalid() }
    var bytes: [UInt8] = []
    while true {
      let start = index
      while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        index += 1
      }
      guard String(validating: text[start..<index], as: UTF8.self) != nil else { throw Invalid() }
      bytes += text[start..<index]
      if take(UInt8(ascii: "\"")) { break }
      // The end of the text, or a control character.
      guard take(UInt8(ascii: "\\")) else { throw Invalid() }
      try bytes.append(contentsOf: escaped())
    }
    return bytes
  }

  /// Reads what follows a backslash.
  private mutating func escaped() throws(Invalid) -> [UInt8] {
    guard let byte = next else { throw Invalid() }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      let unit = try unit()
      let end = index
      if UTF16.isLeadSurrogate(unit), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
        let second = try self.unit()
        if UTF16.isTrailSurrogate(second) {
          return Array(String(decoding: [unit, second], as: UTF16.self).utf8)
        }
      }
      index = end
      if let scalar = Unicode.Scalar(unit) { return Array(String(scalar).utf8) }
      return [0xE0 | UInt8(unit >> 12), 0x80 | UInt8(unit >> 6 & 63), 0x80 | UInt8(unit & 63)]
    default: throw Invalid()
    }
  }

  /// Reads the four digits of a unit of UTF-16.
  private mutating func unit() throws(Invalid) -> UInt16 {
    let digits = text[index..<min(index + 4, text.count)]
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw Invalid() }
    index += 4
    return unit
  }

  // MARK: Numbers and words

  private mutating func number() throws(Invalid) -> String {
    let start = index
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      try digits()
    }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  /// Reads one or more digits.
  private mutating func digits() throws(Invalid) {
    let start = index
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    guard index > start else { throw Invalid() }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Invalid) -> JSONValue {
    guard text[index...].starts(with: word.utf8) else { throw Invalid() }
    index += word.utf8.count
    return value
  }

  // MARK: Bytes

  private var next: UInt8? { index < text.count ? text[index] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
    }
  }
}
