extension SamplePlane {
  /// Which way a fractional delay goes along an axis.
  enum Direction {
    case forward
    /// Takes ``forward`` back.
    case backward
  }

  /// Delays the samples of every line.
  ///
  /// - Parameter count: How many samples of the line belong to the picture.
  mutating func delayColumns(_ delay: FractionalDelay, count: Int, _ direction: Direction) {
    var lines = [SIMD8<Int16>](repeating: .zero, count: count)
    for y in stride(from: 0, to: height, by: 8) {
      for x in stride(from: 0, to: count, by: 8) {
        let columns = BlockTransform.transposed(block(x: x, y: y))
        for lane in 0..<min(8, count - x) { lines[x + lane] = columns[lane] }
      }
      run(delay, &lines, direction)
      for x in stride(from: 0, to: count, by: 8) {
        var columns = Block(repeating: .zero)
        for lane in 0..<min(8, count - x) { columns[lane] = lines[x + lane] }
        store(BlockTransform.transposed(columns), x: x, y: y)
      }
    }
  }

  /// Delays the samples of every column.
  ///
  /// - Parameter count: How many samples of the column belong to the picture.
  mutating func delayRows(_ delay: FractionalDelay, count: Int, _ direction: Direction) {
    var lines = [SIMD8<Int16>](repeating: .zero, count: count)
    for x in stride(from: 0, to: width, by: 8) {
      for y in stride(from: 0, to: count, by: 8) {
        let rows = block(x: x, y: y)
        for lane in 0..<min(8, count - y) { lines[y + lane] = rows[lane] }
      }
      run(delay, &lines, direction)
      for y in stride(from: 0, to: count, by: 8) {
        var rows = Block(repeating: .zero)
        for lane in 0..<min(8, count - y) { rows[lane] = lines[y + lane] }
        store(rows, x: x, y: y)
      }
    }
  }

  private func run(
    _ delay: FractionalDelay,
    _ lines: inout [SIMD8<Int16>],
    _ direction: Direction
  ) {
    switch direction {
    case .forward: delay.delay(&lines)
    case .backward:
      lines.reverse()
      delay.delay(&lines)
      lines.reverse()
    }
  }
}
