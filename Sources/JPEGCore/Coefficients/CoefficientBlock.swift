/// A block of quantized coefficients that a ``BlockForm`` stores.
///
/// A value is given as its additional bits (T.81, F.1.2.1), sign-extended: v if v > 0, v - 1 if v < 0. The lower SSSS
/// bits are those that follow the Huffman code, and the value of -v is the complement of that of v. Values that fit
/// into a byte use neither 0 nor 0xFF, which therefore mark the end:
///
/// ```text
///   zigzag position   1 … 63                64              65
///   lower byte        1 … 127 (v > 0),      0 (EOB)         0xFF (none)
///                     0x80 … 0xFE (v < 0)
/// ```
protocol CoefficientBlock: ~Copyable {
  var dc: Int16 { get }
  /// Which AC coefficients are not zero, and how large they are.
  var shape: TransformedBlock.Shape { get }

  /// Returns the additional bits of a coefficient that is not zero, or one of the marks at 64 and 65.
  func additionalBits(at zigzag: Int) -> Int16
}

extension CoefficientBlock where Self: ~Copyable {
  /// Bytes that are not the additional bits of a coefficient.
  static var eob: UInt8 { 0 }
  static var none: UInt8 { 0xFF }

  @inline(__always)
  var mask: UInt64 { shape.mask & ~1 }

  @inline(__always)
  var isNarrow: Bool { shape.isNarrow }

  /// Returns the additional bits of a coefficient that fits into a byte, as the lowest bits; or one of the marks at 64
  /// and 65.
  @inline(__always)
  func bits(at zigzag: Int) -> UInt8 { UInt8(truncatingIfNeeded: additionalBits(at: zigzag)) }

  /// Whether a coefficient fits into a byte.
  @inline(__always)
  func isNarrow(at zigzag: Int) -> Bool { Int8(exactly: additionalBits(at: zigzag)) != nil }

  @inline(__always)
  func value(at zigzag: Int) -> Int16 {
    let bits = additionalBits(at: zigzag)
    return bits &- bits &>> 15
  }
}
