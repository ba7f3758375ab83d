extension ReferenceTag {
  /// An unsigned rational as stored; its denominator may be zero.
  struct Rational: Equatable {
    var numerator: UInt32
    var denominator: UInt32

    /// The quotient; nil if the denominator is zero.
    var value: Double? {
      denominator == 0 ? nil : Double(numerator) / Double(denominator)
    }
  }

  /// The presentable text before the first NUL; nil for another type or blank text.
  var ascii: String? {
    guard format == 2 else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).presentable
    return text.isEmpty ? nil : text
  }

  /// The values of type RATIONAL; nil for another type.
  func rationals(_ order: ExifReference.ByteOrder) -> [Rational]? {
    guard format == 5 else { return nil }
    return stride(from: 0, through: bytes.count - 8, by: 8).map { offset in
      Rational(
        numerator: order.long(bytes[offset..<offset + 4]),
        denominator: order.long(bytes[offset + 4..<offset + 8])
      )
    }
  }
}

extension ExifReference.ByteOrder {
  /// Returns the unsigned number of at most four bytes.
  fileprivate func long(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    switch self {
    case .bigEndian: bytes.reduce(0) { $0 << 8 | UInt32($1) }
    case .littleEndian: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
