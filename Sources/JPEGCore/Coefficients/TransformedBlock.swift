/// A transformed block while the decoder's copy of it is valid: the coefficients in zigzag order.
///
/// A value is stored as its additional bits (T.81, F.1.2.1), sign-extended: v if v > 0, v - 1 if v < 0. The lower SSSS
/// bits are those that follow the Huffman code, and the value of -v is the complement of that of v. Values that fit
/// into a byte use neither 0 nor 0xFF, which therefore mark the end:
///
/// ```text
///   zigzag position   1 … 63                64              65
///   lower byte        1 … 127 (v > 0),      0 (EOB)         0xFF (none)
///                     0x80 … 0xFE (v < 0)
/// ```
@safe
package struct TransformedBlock: ~Copyable {
  /// The smallest magnitude that is out of range.
  ///
  /// Coefficients of eight-bit images have at most 11 bits; the limit leaves room for non-default encoders and is
  /// within what a Huffman code can represent.
  package static let tooLarge = 1 << 14

  /// Which AC coefficients are not zero, and how large they are.
  struct Shape {
    /// The nonzero coefficients as bits 1 to 63; bit 0 is undefined.
    private(set) var mask: UInt64 = 0
    /// The bits of all magnitudes.
    private var magnitudes: UInt16 = 0

    /// Whether all coefficients fit into a byte.
    @inline(__always)
    var isNarrow: Bool { magnitudes < 0x80 }

    /// Whether a coefficient has a magnitude of ``TransformedBlock/tooLarge`` or more.
    @inline(__always)
    var isOutOfRange: Bool { Int(magnitudes) >= TransformedBlock.tooLarge }

    @inline(__always)
    init() {}

    @inline(__always)
    mutating func add(at zigzag: Int) { mask |= 1 &<< UInt64(truncatingIfNeeded: zigzag) }

    @inline(__always)
    mutating func note(_ value: Int16) {
      magnitudes |= UInt16(bitPattern: value ^ value &>> 15)
    }
  }

  /// The DC coefficient, which is the same after every transform.
  let dc: Int16
  private let shape: Shape
  /// The values by zigzag position, as sign-extended additional bits.
  ///
  /// Values at positions that are not in the mask are undefined. ``eob`` and ``none`` follow at 64 and 65.
  private let values: UnsafePointer<Int16>

  /// Bytes that are not the additional bits of a coefficient.
  static var eob: UInt8 { 0 }
  static var none: UInt8 { 0xFF }

  @inline(__always)
  init(dc: Int16, _ shape: Shape, values: UnsafePointer<Int16>) {
    self.dc = dc
    self.shape = shape
    unsafe self.values = values
  }

  @inline(__always)
  var mask: UInt64 { shape.mask & ~1 }

  @inline(__always)
  var isNarrow: Bool { shape.isNarrow }

  /// Returns the additional bits of a coefficient that fits into a byte, as the lowest bits; or one of the marks at 64
  /// and 65.
  @inline(__always)
  func bits(at zigzag: Int) -> UInt8 { unsafe UInt8(truncatingIfNeeded: values[zigzag]) }

  /// Whether a coefficient fits into a byte.
  @inline(__always)
  func isNarrow(at zigzag: Int) -> Bool {
    unsafe Int8(exactly: values[zigzag]) != nil
  }

  @inline(__always)
  func value(at zigzag: Int) -> Int16 {
    let value = unsafe values[zigzag]
    return value &- value &>> 15
  }

  /// Whether an AC coefficient has a magnitude of ``tooLarge`` or more.
  @inline(__always)
  var isOutOfRange: Bool { shape.isOutOfRange }
}
