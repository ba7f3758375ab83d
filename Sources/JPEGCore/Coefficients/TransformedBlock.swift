/// A transformed block while the decoder's copy of it is valid: the coefficients in zigzag order.
@safe
package struct TransformedBlock: CoefficientBlock, ~Copyable {
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
    init(mask: UInt64 = 0, magnitudes: UInt16 = 0) {
      self.mask = mask
      self.magnitudes = magnitudes
    }

    @inline(__always)
    mutating func add(at zigzag: Int) { mask |= 1 &<< UInt64(truncatingIfNeeded: zigzag) }

    @inline(__always)
    mutating func note(_ value: Int16) {
      magnitudes |= UInt16(bitPattern: value ^ value &>> 15)
    }
  }

  /// The DC coefficient, which is the same after every transform.
  let dc: Int16
  let shape: Shape
  /// The values by zigzag position, as sign-extended additional bits.
  ///
  /// Values at positions that are not in the mask are undefined.
  private let values: UnsafePointer<Int16>

  @inline(__always)
  init(dc: Int16, _ shape: Shape, values: UnsafePointer<Int16>) {
    self.dc = dc
    self.shape = shape
    unsafe self.values = values
  }

  @inline(__always)
  func additionalBits(at zigzag: Int) -> Int16 { unsafe values[zigzag] }
}
