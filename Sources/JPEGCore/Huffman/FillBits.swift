/// The padding bits, 0 to 7, of the last byte before a marker (T.81, F.1.2.3: they should be ones).
package struct FillBits: Hashable, Sendable {
  /// The bits below a leading 1: `1` is no bits, `1bbb` three bits.
  package let code: UInt8

  init(_ bits: UInt64, count: Int) {
    code = UInt8(truncatingIfNeeded: 1 << UInt64(count) | bits & (1 << UInt64(count) - 1))
  }

  /// Creates the bits from their code; nil for 0.
  package init?(code: UInt8) {
    guard code > 0 else { return nil }
    self.code = code
  }

  /// The number of bits.
  package var count: Int { 7 - code.leadingZeroBitCount }
  /// Whether all bits are ones.
  package var areOnes: Bool { code == UInt8(truncatingIfNeeded: 2 << count - 1) }
  /// Whether all bits are zeros.
  package var areZeros: Bool { code & (code - 1) == 0 }
  var value: UInt64 { UInt64(code) & (1 << UInt64(count) - 1) }
}
