#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The rules for the JSON of a line that `JSONDecoder` does not check.
struct JSONStrictness {
  /// An object or an array that is open.
  private struct Level {
    var isObject: Bool
    var names: Set<[UInt8]> = []
    /// The name of the current member.
    var name: [UInt8] = []
  }

  private var levels: [Level] = []
  private var expectsName = false

  /// Returns whether a line without its `check`, which a decoder accepts, is JSON as RFC 8259 defines it, no object has a
  /// name twice, and the sizes of files are written in digits alone.
  static func holds(for text: [UInt8]) -> Bool {
    guard String(validating: text, as: UTF8.self) != nil else { return false }
    var check = JSONStrictness()
    return check.read(text)
  }

  private mutating func read(_ text: [UInt8]) -> Bool {
    var index = 0
    while index < text.count {
      let start = index
      let byte = text[index]
      index += 1
      switch byte {
      case UInt8(ascii: "{"):
        levels.append(Level(isObject: true))
        // The name that ends every line.
        if levels.count == 1 { levels[0].names.insert(Array("check".utf8)) }
        expectsName = true
      case UInt8(ascii: "["):
        levels.append(Level(isObject: false))
        expectsName = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        levels.removeLast()
        expectsName = false
      case UInt8(ascii: ","):
        expectsName = levels.last?.isObject == true
      case UInt8(ascii: ":"):
        expectsName = false
      case UInt8(ascii: "\""):
        while index < text.count, text[index] != UInt8(ascii: "\"") {
          // A control character is escaped.
          if text[index] < 0x20 { return false }
          index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
        if expectsName {
          let name = Self.name(text[start..<min(index, text.count)])
          guard levels[levels.count - 1].names.insert(name).inserted else { return false }
          levels[levels.count - 1].name = name
        }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        while index < text.count, Self.isInNumber(text[index]) { index += 1 }
        let digits = text[start..<index].drop { $0 == UInt8(ascii: "-") }
        if digits.count > 1, digits.first == UInt8(ascii: "0"),
          digits.dropFirst().first.map(Self.isDigit) == true
        {
          return false
        }
        if isSize, !text[start..<index].allSatisfy(Self.isDigit) { return false }
      default: break
      }
    }
    return true
  }

  /// Whether the current member is the size of a file.
  private var isSize: Bool {
    levels.count == 2 && levels[1].isObject && levels[1].name.elementsEqual("size".utf8)
      && (levels[0].name.elementsEqual("before".utf8) || levels[0].name.elementsEqual("after".utf8))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isInNumber(_ byte: UInt8) -> Bool {
    isDigit(byte) || "+-.eE".utf8.contains(byte)
  }

  /// Returns the UTF-8 of a name from its literal with quotation marks.
  private static func name(_ literal: ArraySlice<UInt8>) -> [UInt8] {
    guard literal.contains(UInt8(ascii: "\\")) else { return Array(literal.dropFirst().dropLast()) }
    let array = Data([UInt8(ascii: "[")] + literal + [UInt8(ascii: "]")])
    return (try? JSONDecoder().decode([String].self, from: array)).map { Array($0[0].utf8) }
      ?? Array(literal)
  }
}
