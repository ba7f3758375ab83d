internal import CVectors

/// Eight lines of eight lanes: a block of samples or of coefficients.
typealias Block = [8 of SIMD8<Int16>]

/// The forward and inverse DCT of 8×8 blocks (T.81, A.3.3) in fixed-point arithmetic with the same results on every
/// machine.
///
/// Samples and coefficients are 16-bit integers in units of 1/16. A block has eight SIMD lines:
///
/// ```text
///   samples        line y, lane x
///   coefficients   line u, lane v   (u: horizontal, v: vertical frequency)
///
///   inverse   pass along the lines u → x, transpose, pass along the lines v → y
///   forward   pass along the lines y → v, transpose, pass along the lines x → u
/// ```
///
/// A pass is eight one-dimensional transforms at once, one in each lane. Because coefficients are stored transposed,
/// each direction takes one transposition instead of two. Products are 32 bits wide with factors in units of 2⁻¹⁶.
///
/// The transforms are orthonormal, so a block as a vector keeps its norm. Sums stay within 32 bits if the norm is at
/// most ``maxNorm``, or no sample exceeds ``maxValue``. Each of the four passes of a block to samples and back rounds
/// to 1/16; together this is a tenth of the error of quantization by 1.
enum BlockTransform {
  static var fractionBits: Int32 { 4 }
  /// The maximum magnitude of a sample: 724 in whole units.
  ///
  /// Samples of images have 128 and the ringing of quantization.
  static var maxValue: Int16 { 11_584 }
  /// The maximum norm of a block of coefficients, in whole units.
  ///
  /// Blocks of images have about 1024.
  static var maxNorm: Int { 2_000 }

  private typealias Sum = SIMD8<Int32>

  /// cos(kπ/16)/2 in units of 2⁻¹⁶.
  private static var c1: Int16 { 32_138 }
  private static var c2: Int16 { 30_274 }
  private static var c3: Int16 { 27_246 }
  private static var c4: Int16 { 23_170 }
  private static var c5: Int16 { 18_205 }
  private static var c6: Int16 { 12_540 }
  private static var c7: Int16 { 6_393 }

  @inline(__always)
  static func samples(_ coefficients: Block) -> Block {
    let result = inversePass(transposed(inversePass(coefficients)))
    return makeBlock { limited(result[$0]) }
  }

  /// Returns the coefficients of a block of samples, none of which exceeds ``maxValue``.
  @inline(__always)
  static func coefficients(_ samples: Block) -> Block {
    let half = forwardPass(samples)
    return forwardPass(transposed(makeBlock { limited(half[$0]) }))
  }

  @inline(__always)
  static func limited(_ values: SIMD8<Int16>) -> SIMD8<Int16> {
    values.limited(SIMD8(repeating: -maxValue), SIMD8(repeating: maxValue))
  }

  /// Eight one-dimensional inverse transforms, one in each lane, as even and odd parts with one butterfly.
  @inline(__always)
  private static func inversePass(_ x: Block) -> Block {
    let rounding = Sum(repeating: 1 << 15)
    let middle = product(x[0], c4, x[4], c4) &+ rounding
    let sides = product(x[0], c4, x[4], -c4) &+ rounding
    let outer = product(x[2], c2, x[6], c6)
    let inner = product(x[2], c6, x[6], -c2)
    let even = (middle &+ outer, sides &+ inner, sides &- inner, middle &- outer)
    let odd = (
      product(x[1], c1, x[3], c3) &+ product(x[5], c5, x[7], c7),
      product(x[1], c3, x[3], -c7) &+ product(x[5], -c1, x[7], -c5),
      product(x[1], c5, x[3], -c1) &+ product(x[5], c7, x[7], c3),
      product(x[1], c7, x[3], -c5) &+ product(x[5], c3, x[7], -c1)
    )
    return [
      narrowed(even.0 &+ odd.0), narrowed(even.1 &+ odd.1),
      narrowed(even.2 &+ odd.2), narrowed(even.3 &+ odd.3),
      narrowed(even.3 &- odd.3), narrowed(even.2 &- odd.2),
      narrowed(even.1 &- odd.1), narrowed(even.0 &- odd.0),
    ]
  }

  /// Eight one-dimensional forward transforms, one in each lane.
  @inline(__always)
  private static func forwardPass(_ x: Block) -> Block {
    let rounding = Sum(repeating: 1 << 15)
    let sum = (x[0] &+ x[7], x[1] &+ x[6], x[2] &+ x[5], x[3] &+ x[4])
    let difference = (x[0] &- x[7], x[1] &- x[6], x[2] &- x[5], x[3] &- x[4])
    let outer = product(sum.0, c4, sum.3, c4) &+ rounding
    let inner = product(sum.1, c4, sum.2, c4)
    return [
      narrowed(outer &+ inner),
      rotated(difference, c1, c3, c5, c7),
      rotated((sum.0, sum.3, sum.1, sum.2), c2, -c2, c6, -c6),
      rotated(difference, c3, -c7, -c1, -c5),
      narrowed(outer &- inner),
      rotated(difference, c5, -c1, c7, c3),
      rotated((sum.0, sum.3, sum.1, sum.2), c6, -c6, -c2, c2),
      rotated(difference, c7, -c5, c3, -c1),
    ]
  }

  @inline(__always)
  private static func rotated(
    _ x: (SIMD8<Int16>, SIMD8<Int16>, SIMD8<Int16>, SIMD8<Int16>),
    _ a: Int16,
    _ b: Int16,
    _ c: Int16,
    _ d: Int16
  ) -> SIMD8<Int16> {
    narrowed(
      product(x.0, a, x.1, b) &+ product(x.2, c, x.3, d) &+ Sum(repeating: 1 << 15)
    )
  }

  @inline(__always)
  private static func product(
    _ x: SIMD8<Int16>,
    _ a: Int16,
    _ y: SIMD8<Int16>,
    _ b: Int16
  ) -> Sum {
    pair_products(x, y, a, b)
  }

  @inline(__always)
  private static func narrowed(_ sum: Sum) -> SIMD8<Int16> { upper_halves(sum) }

  @inline(__always)
  static func transposed(_ x: Block) -> Block { shuffled(shuffled(shuffled(x))) }

  /// Returns the block with lines i and i + 4 interleaved.
  @inline(__always)
  private static func shuffled(_ x: Block) -> Block {
    [
      low(x[0], x[4]), high(x[0], x[4]), low(x[1], x[5]), high(x[1], x[5]),
      low(x[2], x[6]), high(x[2], x[6]), low(x[3], x[7]), high(x[3], x[7]),
    ]
  }

  @inline(__always)
  static func low(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    lower_interleaved(a, b)
  }

  @inline(__always)
  static func high(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    upper_interleaved(a, b)
  }
}
