import FileSystem
import Fixtures
import Foundation
import Records
import Testing

struct JSONValueTests {
  private static func value(_ text: String) throws -> JSONValue { try JSONValue(Array(text.utf8)) }

  private static func object(_ members: [String: JSONValue]) -> JSONValue {
    .object(Dictionary(uniqueKeysWithValues: members.map { (Array($0.utf8), $1) }))
  }

  @Test func `Every kind of value is read`() throws {
    let text = #" { "a" : [ 1 , -0.5e+3 , true , false , null , "" ] , "b" : { } , "" : [ ] } "#
    let list: [JSONValue] = [
      .number("1"), .number("-0.5e+3"), .bool(true), .bool(false), .null, .string(""),
    ]
    #expect(
      try Self.value(text)
        == Self.object(["a": .array(list), "b": Self.object([:]), "": .array([])])
    )
    #expect(try Self.value("0") == .number("0"))
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e4\u00E4""#, "ää"),
    (#""\ud83d\ude00""#, "😀"), (#""ä😀""#, "ä😀"), (#""a\u0000b""#, "a\0b"),
  ])
  func `Strings have the characters that are escaped`(text: String, string: String) throws {
    let read = try Self.value(text).string
    #expect(read.map { Array($0.utf8) } == Array(string.utf8))
  }

  @Test(arguments: [
    "", " ", "{", "[", "\"", "[1", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "{'a':1}", "[1}", "01",
    "-", "1.", ".5", "1e", "+1", "- 1", "0x1", "NaN", "tru", "nullx", "1 2", "[1]]",
    #""\x""#, #""\u12""#, #""\u12g4""#, #""\u+123""#, #""\ud83d\u004""#, "\"\n\"", "\"\u{1f}\"",
    "{\"a\":1,\"a\":2}",
    #"{"a":1,"\u0061":2}"#, "{\"x\":{\"a\":1,\"a\":1}}", "\u{FEFF}1", "\u{A0}1",
  ])
  func `What RFC 8259 does not allow is invalid, and so is a name that an object has twice`(
    text: String
  ) {
    #expect(throws: JSONValue.Invalid.self) { try Self.value(text) }
  }

  @Test(arguments: [
    #""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\ud83d\n""#,
  ])
  func `A string with half of a surrogate pair is none`(text: String) throws {
    #expect(try Self.value(text) == .surrogates)
    #expect(throws: JSONValue.Invalid.self) { try Self.value("{\(text):1,\(text):2}") }
  }

  @Test func `Names of other bytes are others, even if they look the same`() throws {
    #expect(throws: Never.self) { try Self.value("{\"\u{E4}\":1,\"a\u{308}\":2}") }
  }

  @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC3]] as [[UInt8]])
  func `Bytes that are not UTF-8 are invalid`(bytes: [UInt8]) {
    #expect(throws: JSONValue.Invalid.self) { try JSONValue([0x22] + bytes + [0x22]) }
    #expect(throws: JSONValue.Invalid.self) { try JSONValue(bytes) }
  }

  @Test func `Nesting is limited, and the limit fits a small stack`() async throws {
    @Sendable func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let failed = await withCheckedContinuation { continuation in
      let thread = Thread {
        let isRead = (try? Self.value(nested(512))) != nil
        let isRefused = (try? Self.value(nested(513))) == nil
        let isSafe = (try? Self.value(String(repeating: "[{\"a\":", count: 1 << 20))) == nil
        continuation.resume(returning: !(isRead && isRefused && isSafe))
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(!failed)
  }

  @Test func `It reads what Foundation reads, and ends with every damage`() throws {
    let text = #"{"a":[1,2.5e3,{"b":"\u00e4\n","c":null}],"d":true,"e":"xyz"}"#
    var generator = SeededGenerator(seed: 21)
    var read = 0
    for _ in 0..<20_000 {
      let damaged = Array(text.utf8).damaged(using: &generator)
      guard (try? JSONValue(damaged)) != nil else { continue }
      read += 1
      let theirs = try? JSONSerialization.jsonObject(
        with: Data(damaged),
        options: .fragmentsAllowed
      )
      #expect(theirs != nil, "\(String(decoding: damaged, as: UTF8.self))")
    }
    #expect(read > 100)
  }

  @Test func `Base64 is that of Foundation`() throws {
    var generator = SeededGenerator(seed: 22)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let text = Data(bytes).base64EncodedString()
      #expect(bytes.base64 == text)
      #expect([UInt8](base64: text) == bytes)
    }
    // Spare bits are ignored.
    #expect([UInt8](base64: "QR==") == [UInt8](base64: "QQ=="))
    for text in [
      "Q", "QQ", "QQ=", "QQQ", "====", "=QQQ", "Q===", "QQ=Q", "QQ==QQ==", "QQ\n=", "Q-Q=", "ÄQ==",
      " QQ==",
    ] {
      #expect([UInt8](base64: text) == nil, "\(text)")
    }
  }

  @Test func `The date of a record is the present one in UTC`() throws {
    let date = try #require(try? Date(Syscalls.date(), strategy: .iso8601))
    #expect(abs(date.timeIntervalSinceNow) < 60)
  }
}
