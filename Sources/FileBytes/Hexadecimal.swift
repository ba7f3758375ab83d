extension FixedWidthInteger {
  /// Returns the number in hexadecimal digits, with leading zeros: two digits for each byte.
  package func hexadecimal(uppercase: Bool = false) -> String {
    let digits = String(self, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }
}

extension Sequence where Element == UInt8 {
  /// Returns the bytes as pairs of hexadecimal digits.
  package func hexadecimal(uppercase: Bool = false, separator: String = "") -> String {
    map { $0.hexadecimal(uppercase: uppercase) }.joined(separator: separator)
  }
}

extension [UInt8] {
  /// Creates bytes from pairs of lower-case hexadecimal digits; nil if `text` is anything else.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
