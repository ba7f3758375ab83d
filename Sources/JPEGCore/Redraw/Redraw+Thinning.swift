extension Redraw {
  /// Returns the image that a redraw with `thinnedFrom` would give, from the result of this one.
  package func thinned(_ reencoded: borrowing SparseImage, from position: Int) -> SparseImage {
    let values = reencoded.values.span
    var blocks = reencoded.blocks
    var kept: [Int8] = []
    kept.reserveCapacity(reencoded.values.count)
    for (plane, isReencoded) in zip(reencoded.planes, isReencoded) {
      for index in plane.firstBlock..<plane.firstBlock + plane.columns * plane.rows {
        let block = blocks[index]
        let start = kept.count
        var mask = block.mask
        var walk = ValueWalk(block, within: .max)
        while let (zigzag, value) = walk.next(values) {
          if isReencoded, zigzag >= position, abs(value) <= 1 {
            mask &= ~(1 << UInt64(zigzag))
            continue
          }
          kept.append(Int8(truncatingIfNeeded: value))
          if block.isWide { kept.append(Int8(truncatingIfNeeded: value >> 8)) }
        }
        blocks[index] = SparseImage.Block(
          mask: mask,
          isWide: block.isWide,
          start: start,
          dc: block.dc
        )
      }
    }
    return SparseImage(planes: reencoded.planes, blocks: blocks, values: kept)
  }
}
