extension SampleWindow {
  func delayColumns(
    by delay: ComponentGeometry.Delay,
    count: Int,
    lines: Range<Int>,
    _ direction: FractionalDelay.Direction
  ) {
    let filter = FractionalDelay(delay)
    var columns = [SIMD8<Int16>](repeating: .zero, count: count)
    for y in stride(from: lines.lowerBound, to: lines.upperBound, by: 8) {
      let eight = self.lines(from: y)
      for x in stride(from: 0, to: count, by: 8) {
        let block = BlockTransform.transposed(eight[x])
        for lane in 0..<min(8, count - x) { columns[x + lane] = block[lane] }
      }
      filter.delay(&columns, direction)
      for x in stride(from: 0, to: count, by: 8) {
        var block = Block(repeating: .zero)
        for lane in 0..<min(8, count - x) { block[lane] = columns[x + lane] }
        eight[x] = BlockTransform.transposed(block)
      }
    }
  }

  /// Delays the first `count` samples of each column; all of them must be in the window.
  func delayLines(
    by delay: ComponentGeometry.Delay,
    count: Int,
    _ direction: FractionalDelay.Direction
  ) {
    let filter = FractionalDelay(delay)
    var lines = [SIMD8<Int16>](repeating: .zero, count: count)
    for x in stride(from: 0, to: width, by: 8) {
      for y in 0..<count { lines[y] = samples(x: x, y: y) }
      filter.delay(&lines, direction)
      for y in 0..<count { store(lines[y], x: x, y: y) }
    }
  }
}
