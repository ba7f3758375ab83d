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
  /// The four characters; bytes that are not printable ASCII appear as `?`.
  package var description: String {
    String(
      String.UnicodeScalarView(
        [24, 16, 8, 0].map { shift in
          let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
          return (0x20..<0x7F).contains(byte) ? Unicode.Scalar(byte) : "?"
        }
      )
    )
  }
}
