/// A block that is turned while it is taken over from a decoder: its coefficients in zigzag order.
@safe
package struct TurnedBlock {
  /// Eight-bit pictures have coefficients of at most 11 bits; this leaves room for odd encoders and is
  /// still within what a Huffman code can say.
  package static let tooLarge = 1 << 14

  /// Which AC coefficients there are, and how large they are.
  struct Shape {
    /// Those that are not zero, as bits 1 to 63.
    private(set) var mask: UInt64 = 0
    /// Whether all fit into a byte.
    private(set) var isNarrow = true

    @inline(__always)
    init() {}

    /// Adds a coefficient that is not zero, and fits into a byte.
    @inline(__always)
    mutating func add(at zigzag: UInt64) { mask |= 1 &<< zigzag }

    /// Adds a coefficient that is not zero.
    @inline(__always)
    mutating func add(_ value: Int16, at zigzag: UInt64) {
      mask |= 1 &<< zigzag
      if value != Int16(Int8(truncatingIfNeeded: value)) { isNarrow = false }
    }
  }

  /// The DC coefficient, which no turn changes.
  let dc: Int16
  private let shape: Shape
  private let values: UnsafePointer<Int16>

  /// - Parameters:
  ///   - dc: The DC coefficient.
  ///   - shape: Which AC coefficients there are.
  ///   - values: The coefficients by their zigzag positions; those that are zero may be anything.
  @inline(__always)
  init(dc: Int16, _ shape: Shape, values: UnsafePointer<Int16>) {
    self.dc = dc
    self.shape = shape
    unsafe self.values = values
  }

  /// The AC coefficients that are not zero, as bits 1 to 63.
  @inline(__always)
  var mask: UInt64 { shape.mask }

  /// Whether all AC coefficients fit into a byte.
  @inline(__always)
  var isNarrow: Bool { shape.isNarrow }

  /// A coefficient that fits into a byte.
  @inline(__always)
  func byte(at zigzag: Int) -> Int8 { unsafe Int8(truncatingIfNeeded: values[zigzag]) }

  /// A coefficient of any size.
  @inline(__always)
  func value(at zigzag: Int) -> Int16 { unsafe values[zigzag] }

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
