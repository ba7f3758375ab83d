extension SamplePlane {
  /// Which way a delay goes along an axis.
  enum Direction {
    case forward
    /// Takes ``forward`` back.
    case backward
  }

  /// Delays the first `count` samples of every line, those that belong to the picture.
  mutating func delayColumns(
    by delay: ComponentGeometry.Delay,
    count: Int,
    _ direction: Direction
  ) {
    let filter = FractionalDelay(delay)
    var columns = [SIMD8<Int16>](repeating: .zero, count: count)
    for y in stride(from: 0, to: height, by: 8) {
      for x in stride(from: 0, to: count, by: 8) {
        let block = BlockTransform.transposed(block(x: x, y: y))
        for lane in 0..<min(8, count - x) { columns[x + lane] = block[lane] }
      }
      filter.run(&columns, direction)
      for x in stride(from: 0, to: count, by: 8) {
        var block = Block(repeating: .zero)
        for lane in 0..<min(8, count - x) { block[lane] = columns[x + lane] }
        store(BlockTransform.transposed(block), x: x, y: y)
      }
    }
  }

  /// Delays the first `count` samples of every column, those that belong to the picture.
  mutating func delayRows(
    by delay: ComponentGeometry.Delay,
    count: Int,
    _ direction: Direction
  ) {
    let filter = FractionalDelay(delay)
    var rows = [SIMD8<Int16>](repeating: .zero, count: count)
    for x in stride(from: 0, to: width, by: 8) {
      for y in stride(from: 0, to: count, by: 8) {
        let block = block(x: x, y: y)
        for line in 0..<min(8, count - y) { rows[y + line] = block[line] }
      }
      filter.run(&rows, direction)
      for y in stride(from: 0, to: count, by: 8) {
        var block = Block(repeating: .zero)
        for line in 0..<min(8, count - y) { block[line] = rows[y + line] }
        store(block, x: x, y: y)
      }
    }
  }
}

extension FractionalDelay {
  fileprivate func run(_ samples: inout [SIMD8<Int16>], _ direction: SamplePlane.Direction) {
    switch direction {
    case .forward: delay(&samples)
    case .backward:
      samples.reverse()
      delay(&samples)
      samples.reverse()
    }
  }
}
