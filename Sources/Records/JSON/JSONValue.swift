/// A value of JSON that was read.
package enum JSONValue: Hashable, Sendable {
  /// The values by their names; their bytes, because strings of different bytes can be equal.
  case object([[UInt8]: JSONValue])
  case array([JSONValue])
  case string(String)
  /// A string with half of a surrogate pair, which no text has.
  case surrogates
  /// The number as it is written.
  case number(String)
  case bool(Bool)
  case null

  /// The error of a text that is not JSON, or not what is expected.
  package struct Invalid: Error {}

  /// Reads JSON as RFC 8259 defines it; an object that has a name twice is invalid, too.
  package init(_ text: [UInt8]) throws(Invalid) {
    var reader = JSONReader(text)
    self = try reader.whole()
  }
}

extension JSONValue {
  /// The text; nil for other values.
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The whole number; nil for other values.
  var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

  /// The whole number that is written in digits alone; nil for other values.
  var count: Int? {
    guard case .number(let text) = self, text.utf8.first != UInt8(ascii: "-") else { return nil }
    return Int(text)
  }

  /// The number; nil for other values.
  var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }

  /// The integers of a list; nil for other values.
  var integers: [Int]? {
    guard case .array(let values) = self else { return nil }
    let integers = values.compactMap { $0.integer }
    return integers.count == values.count ? integers : nil
  }

  /// Whether an object has a name.
  func has(_ name: String) -> Bool {
    if case .object(let members) = self { members[Array(name.utf8)] != nil } else { false }
  }

  /// The value of a name in an object; nil if it is null, or if there is none.
  package subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self, let value = members[Array(name.utf8)], value != .null
    else { return nil }
    return value
  }

  /// Reads the value of a name, if there is one.
  package func optional<Value>(
    _ name: String,
    _ read: (JSONValue) -> Value?
  ) throws(Invalid) -> Value? {
    guard let value = self[name] else { return nil }
    guard let result = read(value) else { throw Invalid() }
    return result
  }

  /// Reads the value of a name.
  package func required<Value>(
    _ name: String,
    _ read: (JSONValue) -> Value?
  ) throws(Invalid) -> Value {
    guard let value = self[name], let result = read(value) else { throw Invalid() }
    return result
  }
}
