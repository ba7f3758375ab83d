/// A block that is turned while it is taken over from a decoder: its coefficients in zigzag order.
@safe
package struct TurnedBlock {
  /// All ones where a coefficient of the source changes its sign, in even and in odd rows.
  typealias Signs = (even: SIMD8<Int16>, odd: SIMD8<Int16>)

  /// Eight-bit pictures have coefficients of at most 11 bits; this leaves room for odd encoders and is
  /// still within what a Huffman code can say.
  package static let tooLarge = 1 << 14

  /// The AC coefficients that are not zero, as bits 1 to 63.
  let mask: UInt64
  /// Whether all AC coefficients fit into a byte.
  let isNarrow: Bool
  private let source: UnsafePointer<Int16>
  private let bytes: UnsafePointer<Int8>
  private let places: UnsafePointer<UInt8>
  private let signs: Signs

  /// - Parameters:
  ///   - mask: The AC coefficients that are not zero.
  ///   - isNarrow: Whether all of them fit into a byte.
  ///   - source: The decoder's block, row by row.
  ///   - bytes: The lower bytes of its coefficients, the signs changed.
  ///   - places: For each zigzag position the place in the source.
  ///   - signs: Where signs change.
  @inline(__always)
  init(
    mask: UInt64,
    isNarrow: Bool,
    source: UnsafePointer<Int16>,
    bytes: UnsafePointer<Int8>,
    places: UnsafePointer<UInt8>,
    signs: Signs
  ) {
    self.mask = mask
    self.isNarrow = isNarrow
    unsafe self.source = source
    unsafe self.bytes = bytes
    unsafe self.places = places
    self.signs = signs
  }

  /// The DC coefficient, which no turn changes.
  @inline(__always)
  var dc: Int16 { unsafe source[0] }

  /// A coefficient that fits into a byte.
  @inline(__always)
  func byte(at zigzag: Int) -> Int8 { unsafe bytes[Int(places[zigzag])] }

  /// A coefficient of any size.
  func value(at zigzag: Int) -> Int16 {
    let place = unsafe Int(places[zigzag])
    let sign = (place & 8 == 0 ? signs.even : signs.odd)[place & 7]
    return unsafe (source[place] ^ sign) &- sign
  }

  /// Whether a coefficient is larger than any that a Huffman code can say.
  @inline(__always)
  var isOutOfRange: Bool {
    abs(Int(dc)) >= Self.tooLarge || !isNarrow && hasLargeCoefficient
  }

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
