internal import FileBytes

/// The type of a box, an item, a reference or a brand: four bytes (ISO/IEC 14496-12, 4.2).
package struct FourCharacterCode: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
  /// Creates a code from four ASCII characters.
  package init(stringLiteral text: StaticString) {
    precondition(text.utf8CodeUnitCount == 4 && text.isASCII, "a code has four ASCII characters")
    self.init(
      rawValue: text.withUTF8Buffer { unsafe $0.reduce(0) { $0 << 8 | UInt32($1) } }
    )
  }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters; the number, if they are not all printable ASCII.
  package var description: String {
    let bytes = rawValue.bytes(.big)
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      let digits = String(rawValue, radix: 16, uppercase: true)
      return "0x" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
