/// Stores the nonzero AC coefficients of a block, in one byte each, or in two if one of them requires it.
struct SparseForm: BlockForm {
  static var empty: SparseImage.Block { .zero }
  static var maxUnits: Int { 128 }

  @inline(__always)
  mutating func put(
    _ block: borrowing some CoefficientBlock & ~Copyable,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<Int8>
  ) -> SparseImage.Block {
    var left = block.mask
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      if block.isNarrow {
        unsafe end.pointee = Int8(truncatingIfNeeded: block.value(at: position))
        unsafe end += 1
      } else {  // the lower byte first
        let value = block.value(at: position)
        unsafe end[0] = Int8(truncatingIfNeeded: value)
        unsafe end[1] = Int8(truncatingIfNeeded: value &>> 8)
        unsafe end += 2
      }
    }
    return SparseImage.Block(
      mask: block.mask,
      isWide: !block.isNarrow,
      start: start,
      dc: block.dc
    )
  }
}
