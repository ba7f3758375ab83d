import FoundationEssentials
import Reports
import Testing

/// Reports are written without Foundation, with the same bytes as its encoder.
@Suite struct JSONWriterTests {
  /// An object of every kind of value.
  private struct Sample: JSONObject, Encodable {
    var count: Int
    var flag: Bool
    var list: [Int]
    var missing: String?
    var text: String

    func writeFields(to json: inout JSONWriter) {
      json.field("count", count)
      json.field("flag", flag)
      json.field("list", list)
      json.field("missing", missing)
      json.field("text", text)
    }
  }

  private func expected(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func written(_ value: some JSONObject) -> String { value.jsonLine }

  @Test func `Every control character is escaped as Foundation escapes it`() throws {
    for value in 0...0x2FF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let sample = Sample(count: -value, flag: value % 2 == 0, list: [], text: "a\(scalar)b")
      #expect(try written(sample) == expected(sample))
    }
  }

  @Test func `Strings, numbers and lists are written as Foundation writes them`() throws {
    for text in ["", "/a/b", "\"\\", "é€😀\u{2028}", "</script>", "\r\n"] {
      for list in [[], [0], [Int.min, Int.max]] {
        let sample = Sample(count: list.count, flag: true, list: list, missing: text, text: text)
        #expect(try written(sample) == expected(sample))
      }
    }
  }

  @Test func `Dictionaries are written as Foundation writes them, sorted by name`() throws {
    for values in [[:], ["--b": "1", "--a": "\"2\"", "-c": ""]] {
      #expect(try values.jsonLine == expected(values))
    }
  }

  @Test(arguments: [0, 0.01, 0.1, 0.25, 1, 9.99, 10.5, 45.07, 99.9, 100, 123.45, -0.5])
  func `Numbers of two decimals are written as Foundation writes them`(number: Double) throws {
    struct Wrapped: JSONObject {
      var value: Hundredths?
      func writeFields(to json: inout JSONWriter) { json.field("value", value) }
    }
    #expect(written(Wrapped(value: Hundredths(number))) == "{\"value\":\(try expected(number))}")
    #expect(
      written(Wrapped(value: Hundredths(number + 0.004)))
        == written(Wrapped(value: Hundredths(number)))
    )
    #expect(written(Wrapped(value: Hundredths(.infinity))) == "{}")
  }
}
