internal import ImageOrientation

/// How the coefficients of a component stand in a file, seen from the original's samples.
///
/// Blocks of the transform stand column by column; those of a file in zigzag order, turned.
struct BlockLayout: Sendable {
  let quantizer: Quantizer
  /// Where the blocks stand.
  private let plane: CoefficientImage.Plane
  private let turn: Turn
  /// Blocks per row and block rows of the original.
  private let size: (columns: Int, rows: Int)
  /// For each zigzag position the place in a block of the transform.
  private let place: [64 of UInt8]
  /// For each zigzag position the quantization step, negative where turning changes the sign.
  private let step: [64 of Int32]
  /// Where turning changes the sign, one bit for each zigzag position.
  private let negative: UInt64
  /// For each place in a block of the transform the zigzag position.
  private let position: [64 of UInt8]

  /// - Parameters:
  ///   - plane: The component's place in the file's coefficients.
  ///   - table: Its quantization table, in zigzag order.
  ///   - turn: How the file's picture is turned in comparison with the original's.
  init(plane: CoefficientImage.Plane, table: [UInt16], turn: Turn) {
    self.plane = plane
    self.turn = turn
    let size = turn.inverse.size(width: plane.columns, height: plane.rows)
    self.size = (size.width, size.height)
    var place = [64 of UInt8](repeating: 0)
    var position = [64 of UInt8](repeating: 0)
    var step = [64 of Int32](repeating: 0)
    var negative: UInt64 = 0
    var steps = [UInt16](repeating: 1, count: 64)
    var isNegative = [Bool](repeating: false, count: 64)
    for zigzag in 0..<64 {
      let (row, column) = (Zigzag.natural[zigzag] / 8, Zigzag.natural[zigzag] % 8)
      let changesSign = (turn.mirrorsX && column % 2 == 1) != (turn.mirrorsY && row % 2 == 1)
      let target = turn.transposes ? row * 8 + column : column * 8 + row
      place[zigzag] = UInt8(target)
      position[target] = UInt8(zigzag)
      step[zigzag] = changesSign ? -Int32(table[zigzag]) : Int32(table[zigzag])
      if changesSign { negative |= 1 << UInt64(zigzag) }
      steps[target] = table[zigzag]
      isNegative[target] = changesSign
    }
    self.place = place
    self.position = position
    self.step = step
    self.negative = negative
    quantizer = Quantizer(steps: steps, isNegative: isNegative)
  }

  /// The index of the block at a place of the original's grid.
  @inline(__always)
  func block(column: Int, row: Int) -> Int {
    let (x, y) = turn.destination(
      column: column,
      row: row,
      columns: size.columns,
      rows: size.rows
    )
    return plane.firstBlock &+ y &* plane.columns &+ x
  }

  private static var mostCoefficient: Int32 { Int32(BlockTransform.longest) }
  private static var mostEnergy: Int32 { mostCoefficient * mostCoefficient }

  /// A block in units of ``BlockTransform``.
  @inline(__always)
  func dequantized(
    _ coefficients: Span<Int16>,
    block: Int,
    mask: UInt64,
    _ buffer: inout BlockBuffer
  ) -> Block {
    var left = mask
    var energy: Int32 = 0
    while left != 0 {
      let zigzag = left.trailingZeroBitCount
      left &= left &- 1
      let product = Int32(coefficients[block &* 64 &+ zigzag]) &* step[zigzag]
      let value = min(max(product, -Self.mostCoefficient), Self.mostCoefficient)
      energy &+= value &* value
      buffer[Int(place[zigzag])] = Int16(
        truncatingIfNeeded: value &<< BlockTransform.fractionBits
      )
    }
    let result = buffer.take()
    guard energy > Self.mostEnergy else { return result }
    // No encoder makes such a block. 64 of the largest coefficients are eight times too long.
    return Block { result[$0] &>> SIMD8(repeating: 3) }
  }

  /// A block as it is in the file of the original.
  @inline(__always)
  func quantized(
    _ coefficients: Span<Int16>,
    block: Int,
    mask: UInt64,
    _ buffer: inout BlockBuffer
  ) -> Block {
    var left = mask
    while left != 0 {
      let zigzag = left.trailingZeroBitCount
      left &= left &- 1
      buffer[Int(place[zigzag])] = coefficients[block &* 64 &+ zigzag]
    }
    return buffer.take()
  }

  /// Puts quantized coefficients into their place, which must be all zeros.
  ///
  /// - Returns: The mask of the coefficients that are not zero.
  @inline(__always)
  func put(
    _ quantized: Block,
    into coefficients: inout MutableSpan<Int16>,
    block: Int,
    _ buffer: inout BlockBuffer
  ) -> UInt64 {
    buffer.put(quantized)
    var mask: UInt64 = 0
    for group in 0..<16 {
      if buffer.isZero(group: group) { continue }
      for index in group &* 4..<group &* 4 &+ 4 {
        let value = buffer[index]
        if value == 0 { continue }
        let zigzag = Int(position[index])
        coefficients[block &* 64 &+ zigzag] = value
        mask |= 1 &<< UInt64(truncatingIfNeeded: zigzag)
      }
    }
    buffer.clear()
    return mask
  }

  /// Moves a block, unchanged but for the turn, into its place in another file, which must be all zeros.
  ///
  /// - Returns: The mask of the coefficients that are not zero.
  @inline(__always)
  func move(
    _ coefficients: Span<Int16>,
    block: Int,
    mask: UInt64,
    to target: BlockLayout,
    _ moved: inout MutableSpan<Int16>,
    block targetBlock: Int
  ) -> UInt64 {
    var left = mask
    var result: UInt64 = 0
    while left != 0 {
      let zigzag = left.trailingZeroBitCount
      left &= left &- 1
      let position = Int(target.position[Int(place[zigzag])])
      let value = coefficients[block &* 64 &+ zigzag]
      let changesSign =
        (negative &>> UInt64(zigzag) ^ target.negative &>> UInt64(position)) & 1 == 1
      moved[targetBlock &* 64 &+ position] = changesSign ? 0 &- value : value
      result |= 1 &<< UInt64(truncatingIfNeeded: position)
    }
    return result
  }
}
