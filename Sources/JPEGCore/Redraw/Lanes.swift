extension SIMD8 where Scalar: FixedWidthInteger {
  /// The lanes of another vector, converted one by one, the higher bits cut off.
  ///
  /// The standard library's initializer does the same; whether it is inlined depends on how often a module uses
  /// it, and where it is not, a redraw takes a third longer.
  @inline(__always)
  init<Other: FixedWidthInteger & SIMDScalar>(lanes other: SIMD8<Other>) {
    self.init()
    for lane in 0..<8 { self[lane] = Scalar(truncatingIfNeeded: other[lane]) }
  }
}

extension SIMD8 where Scalar: FixedWidthInteger {
  /// The values, limited to a range lane by lane.
  @inline(__always)
  func limited(_ least: Self, _ most: Self) -> Self { smaller(most).larger(least) }

  /// The smaller values of two vectors.
  @inline(__always)
  func smaller(_ other: Self) -> Self {
    var result = Self()
    for lane in 0..<8 { result[lane] = self[lane] < other[lane] ? self[lane] : other[lane] }
    return result
  }

  /// The larger values of two vectors.
  @inline(__always)
  func larger(_ other: Self) -> Self {
    var result = Self()
    for lane in 0..<8 { result[lane] = self[lane] > other[lane] ? self[lane] : other[lane] }
    return result
  }

  /// All lanes, combined by `or`.
  @inline(__always)
  var union: Scalar {
    let (a, b) = (self[0] | self[1] | self[2] | self[3], self[4] | self[5] | self[6] | self[7])
    return a | b
  }

  /// All lanes, combined by `and`.
  @inline(__always)
  var intersection: Scalar {
    let (a, b) = (self[0] & self[1] & self[2] & self[3], self[4] & self[5] & self[6] & self[7])
    return a & b
  }
}

/// A block, line by line; unlike the initializer of the standard library always inlined.
@inline(__always)
func makeBlock(_ line: (_ number: Int) -> SIMD8<Int16>) -> Block {
  [line(0), line(1), line(2), line(3), line(4), line(5), line(6), line(7)]
}
