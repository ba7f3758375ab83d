/// A block that is transformed while it is taken over from a decoder: its coefficients in zigzag order.
@safe
package struct TransformedBlock: ~Copyable {
  /// Eight-bit images have coefficients of at most 11 bits; this leaves room for odd encoders and is
  /// still within what a Huffman code can say.
  package static let tooLarge = 1 << 14

  /// Which AC coefficients there are, and how large they are.
  struct Shape {
    /// Those that are not zero, as bits 1 to 63; bit 0 means nothing.
    private(set) var mask: UInt64 = 0
    /// Whether all fit into a byte.
    private(set) var isNarrow = true

    @inline(__always)
    init() {}

    /// Adds a coefficient that is not zero.
    @inline(__always)
    mutating func add(at zigzag: Int) { mask |= 1 &<< UInt64(truncatingIfNeeded: zigzag) }

    /// Notes a coefficient, as additional bits (T.81, F.1.2.1), that may be too large for a byte.
    @inline(__always)
    mutating func note(_ value: Int16) {
      if value != Int16(Int8(truncatingIfNeeded: value)) { isNarrow = false }
    }
  }

  /// The DC coefficient, which no transform changes.
  let dc: Int16
  private let shape: Shape
  /// The coefficients by their zigzag positions, those that are negative one less.
  ///
  /// So their lowest bits are the additional bits of their codes, and a change of sign is one of all bits. What is
  /// zero may be anything. After the last one stand ``eob`` and ``nothing``.
  private let values: UnsafePointer<Int16>

  /// What no coefficient has as its additional bits.
  static var eob: UInt8 { 0 }
  static var none: UInt8 { 0xFF }

  @inline(__always)
  init(dc: Int16, _ shape: Shape, values: UnsafePointer<Int16>) {
    self.dc = dc
    self.shape = shape
    unsafe self.values = values
  }

  /// The AC coefficients that are not zero, as bits 1 to 63.
  @inline(__always)
  var mask: UInt64 { shape.mask & ~1 }

  /// Whether all AC coefficients fit into a byte.
  @inline(__always)
  var isNarrow: Bool { shape.isNarrow }

  /// The additional bits of a coefficient that fits into a byte, as the lowest ones; or what stands after the
  /// last one.
  @inline(__always)
  func bits(at zigzag: Int) -> UInt8 { unsafe UInt8(truncatingIfNeeded: values[zigzag]) }

  /// A coefficient.
  @inline(__always)
  func value(at zigzag: Int) -> Int16 {
    let value = unsafe values[zigzag]
    return value &- value &>> 15
  }

  /// Whether an AC coefficient is larger than any that a Huffman code can say.
  @inline(__always)
  var isOutOfRange: Bool { !isNarrow && hasLargeCoefficient }

  @inline(never)
  private var hasLargeCoefficient: Bool {
    var left = mask
    while left != 0 {
      if abs(Int(value(at: left.trailingZeroBitCount))) >= Self.tooLarge { return true }
      left &= left &- 1
    }
    return false
  }
}
