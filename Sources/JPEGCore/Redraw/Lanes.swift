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
