internal import CVectors

extension SIMD8 where Scalar: FixedWidthInteger {
  /// Converts another vector lane by lane, truncating the higher bits.
  ///
  /// The standard library's initializer does the same, but the optimizer does not always inline it, and then a redraw
  /// takes a third longer. The functions of this file are loops over lanes that are always inlined and compiled into
  /// single instructions.
  @inline(__always)
  init<Other: FixedWidthInteger & SIMDScalar>(lanes other: SIMD8<Other>) {
    self.init()
    for lane in 0..<8 { self[lane] = Scalar(truncatingIfNeeded: other[lane]) }
  }
}

extension SIMD8 where Scalar: FixedWidthInteger {
  @inline(__always)
  func limited(_ least: Self, _ most: Self) -> Self { smaller(most).larger(least) }

  @inline(__always)
  func smaller(_ other: Self) -> Self {
    var result = Self()
    for lane in 0..<8 { result[lane] = self[lane] < other[lane] ? self[lane] : other[lane] }
    return result
  }

  @inline(__always)
  func larger(_ other: Self) -> Self {
    var result = Self()
    for lane in 0..<8 { result[lane] = self[lane] > other[lane] ? self[lane] : other[lane] }
    return result
  }
}

extension SIMD8<Int16> {
  @inline(__always)
  var isZero: Bool { nonzero_lanes(self, .zero) == 0 }
}

/// Creates a block from its lines.
///
/// Unlike the standard library's initializer, it is always inlined.
@inline(__always)
func makeBlock(_ line: (_ number: Int) -> SIMD8<Int16>) -> Block {
  [line(0), line(1), line(2), line(3), line(4), line(5), line(6), line(7)]
}
