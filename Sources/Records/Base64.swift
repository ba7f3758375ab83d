/// Base64 with padding (RFC 4648, section 4).
extension [UInt8] {
  /// Reads base64; nil for any other text.
  ///
  /// Spare bits are ignored.
  package init?(base64 text: String) {
    let digits = text.utf8
    let padding = digits.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    guard digits.count.isMultiple(of: 4) else { return nil }
    self = []
    reserveCapacity(digits.count / 4 * 3)
    var (word, bits): (UInt32, Int) = (0, 0)
    for digit in digits.dropLast(padding) {
      guard let value = Self.value(ofBase64: digit) else { return nil }
      word = word << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
  }

  /// The bytes in base64.
  package var base64: String {
    var digits: [UInt8] = []
    digits.reserveCapacity((count + 2) / 3 * 4)
    for start in stride(from: 0, to: count, by: 3) {
      let part = self[start..<Swift.min(start + 3, count)]
      let word = part.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
      for place in 0..<4 {
        digits.append(
          place <= part.count
            ? Self.base64Digits[Int(word >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "=")
        )
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static let base64Digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  private static func value(ofBase64 digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
