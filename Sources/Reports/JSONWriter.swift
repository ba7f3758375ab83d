public import Upright

/// Writes JSON on one line without white space, with the same bytes as Foundation's encoder, but without
/// Foundation.
public struct JSONWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates a writer without output.
  package init() {
    // The report of a photo fits.
    bytes.reserveCapacity(1 << 10)
  }

  fileprivate init(appendingTo bytes: [UInt8]) { self.bytes = bytes }

  /// Writes an object.
  ///
  /// - Parameter fields: Writes its fields.
  package mutating func object(_ fields: (inout JSONWriter) -> Void) {
    let start = bytes.count
    fields(&self)
    // Each field begins with a comma.
    if bytes.count == start {
      bytes.append(UInt8(ascii: "{"))
    } else {
      bytes[start] = UInt8(ascii: "{")
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Returns an object as text on one line, without a line end.
  ///
  /// Programs write documents with it that go with reports, such as lines of a log.
  ///
  /// - Parameter fields: Writes its fields.
  /// - Returns: The object.
  public static func text(_ fields: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    json.object(fields)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Writes a field of an object; a field without a value is omitted.
  ///
  /// - Parameters:
  ///   - name: The name; callers write fields in the order of their names.
  ///   - value: The value.
  @_disfavoredOverload
  package mutating func field(_ name: String, _ value: (some JSONWritable)?) {
    write(name, value)
  }

  private mutating func write(_ name: String, _ value: (some JSONWritable)?) {
    guard let value else { return }
    begin(field: name)
    value.write(to: &self)
  }

  private mutating func begin(field name: String) {
    bytes.append(UInt8(ascii: ","))
    write(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Begins a field of an object.
  ///
  /// - Parameter key: A comma, the name as JSON, and a colon.
  mutating func begin(_ key: [UInt8]) { bytes += key }

  /// Writes an array.
  fileprivate mutating func array(_ values: [some JSONWritable]) {
    bytes.append(UInt8(ascii: "["))
    for index in values.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      values[index].write(to: &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Writes a string (RFC 8259, section 7); slashes and characters outside ASCII are not escaped.
  fileprivate mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    // Most texts are appended as they are.
    let span = text.utf8.span
    if span.indices.contains(where: { Self.isEscaped(span[$0]) }) {
      escape(text)
    } else {
      bytes += text.utf8
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ text: String) {
    for byte in text.utf8 {
      guard Self.isEscaped(byte) else {
        bytes.append(byte)
        continue
      }
      switch byte {
      case 0x08: escape(UInt8(ascii: "b"))
      case 0x09: escape(UInt8(ascii: "t"))
      case 0x0A: escape(UInt8(ascii: "n"))
      case 0x0C: escape(UInt8(ascii: "f"))
      case 0x0D: escape(UInt8(ascii: "r"))
      case 0x20...: escape(byte)
      default:
        escape(UInt8(ascii: "u"))
        bytes += [UInt8(ascii: "0"), UInt8(ascii: "0")]
        for digit in [byte >> 4, byte & 15] {
          bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
      }
    }
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(byte)
  }

  /// Writes a literal: a number or a Boolean value.
  fileprivate mutating func literal(_ text: String) { bytes += text.utf8 }

  /// Writes an integer.
  fileprivate mutating func write(_ number: Int64) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var (low, rest) = (bytes.count, number.magnitude)
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    // The last digit was written first.
    var high = bytes.count - 1
    while low < high {
      bytes.swapAt(low, high)
      (low, high) = (low + 1, high - 1)
    }
  }
}

extension JSONWriter {
  /// Writes a field of an object, or nothing for nil.
  ///
  /// - Parameters:
  ///   - name: The name; callers write fields in the order of their names.
  ///   - text: The value.
  public mutating func field(_ name: String, _ text: String?) { write(name, text) }

  /// Writes a field of an object, or nothing for nil.
  ///
  /// - Parameters:
  ///   - name: The name; callers write fields in the order of their names.
  ///   - number: The value.
  public mutating func field(_ name: String, _ number: Int?) { write(name, number) }

  /// Writes a field of an object, or nothing for nil.
  ///
  /// - Parameters:
  ///   - name: The name; callers write fields in the order of their names.
  ///   - texts: The elements of the value.
  public mutating func field(_ name: String, _ texts: [String]?) { write(name, texts) }

  /// Writes a field of an object, or nothing for nil: remedies as in reports.
  ///
  /// - Parameters:
  ///   - name: The name; callers write fields in the order of their names.
  ///   - remedies: The elements of the value.
  public mutating func field(_ name: String, _ remedies: [Remedy]?) { write(name, remedies) }

  /// Writes a field of an object that is an object, too.
  ///
  /// - Parameters:
  ///   - name: The name; callers write fields in the order of their names.
  ///   - fields: Writes the fields of the value.
  public mutating func field(_ name: String, object fields: (inout JSONWriter) -> Void) {
    begin(field: name)
    object(fields)
  }
}

/// A value that can be written as JSON.
package protocol JSONWritable {
  /// Writes the value.
  func write(to json: inout JSONWriter)
}

/// A value that is written as a JSON object.
package protocol JSONObject: JSONWritable {
  /// Writes its fields, in the order of their names.
  func writeFields(to json: inout JSONWriter)
}

extension JSONObject {
  package func write(to json: inout JSONWriter) { json.object { writeFields(to: &$0) } }
}

extension JSONWritable {
  /// Appends the value as ``jsonLine`` has it.
  package func append(to bytes: inout [UInt8]) {
    var json = JSONWriter(appendingTo: bytes)
    // The writer has the only reference, so that nothing is copied.
    bytes = []
    write(to: &json)
    bytes = json.bytes
  }

  /// The value as JSON on one line, without a line end: keys sorted, slashes not escaped.
  package var jsonLine: String { String(decoding: jsonBytes, as: UTF8.self) }

  /// The bytes of ``jsonLine``.
  package var jsonBytes: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }
}

extension String: JSONWritable {
  package func write(to json: inout JSONWriter) { json.write(self) }
}

extension Int: JSONWritable {
  package func write(to json: inout JSONWriter) { json.write(Int64(self)) }
}

extension Int64: JSONWritable {
  package func write(to json: inout JSONWriter) { json.write(self) }
}

extension Bool: JSONWritable {
  package func write(to json: inout JSONWriter) { json.literal(self ? "true" : "false") }
}

extension Array: JSONWritable where Element: JSONWritable {
  package func write(to json: inout JSONWriter) { json.array(self) }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
  package func write(to json: inout JSONWriter) {
    let sorted = sorted { $0.key < $1.key }
    json.object { for (name, value) in sorted { $0.field(name, value) } }
  }
}

/// A number with two decimals; trailing zeros are omitted.
package struct Hundredths: Hashable, Sendable, JSONWritable {
  /// The number times 100.
  package var count: Int

  /// Rounds a number; nil if it is not finite.
  package init?(_ number: Double) {
    guard number.isFinite else { return nil }
    count = Int((number * 100).rounded())
  }

  package func write(to json: inout JSONWriter) {
    let (whole, rest) = count.magnitude.quotientAndRemainder(dividingBy: 100)
    var text = (count < 0 ? "-" : "") + String(whole)
    if rest > 0 {
      text += rest < 10 ? ".0" : "."
      text += String(rest % 10 == 0 ? rest / 10 : rest)
    }
    json.literal(text)
  }
}
