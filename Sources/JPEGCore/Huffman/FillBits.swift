/// The bits, 0 to 7, that fill up the last byte before a marker (T.81, F.1.2.3: they should be ones).
package struct FillBits: Hashable, Sendable {
  /// The bits below a 1 that is not one of them.
  package let code: UInt8

  init(_ bits: UInt64, count: Int) {
    code = UInt8(truncatingIfNeeded: 1 << UInt64(count) | bits & (1 << UInt64(count) - 1))
  }

  /// Creates the bits from their code; nil if it is not one.
  package init?(code: UInt8) {
    guard code > 0 else { return nil }
    self.code = code
  }

  /// How many bits there are.
  package var count: Int { 7 - code.leadingZeroBitCount }
  /// Whether there are no zeros among them.
  package var areOnes: Bool { code == UInt8(truncatingIfNeeded: 2 << count - 1) }
  /// Whether there are no ones among them.
  package var areZeros: Bool { code & (code - 1) == 0 }
  /// The bits as a number.
  var value: UInt64 { UInt64(code) & (1 << UInt64(count) - 1) }
}
