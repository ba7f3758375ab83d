internal import ImageOrientation

/// How the coefficients of a component stand in a file, seen from the original's samples.
///
/// Redrawing never turns samples: the picture stays as the original has it, and it is the coefficients that
/// change places and signs where they are read or written. Blocks of the transform stand column by column.
struct BlockLayout: Sendable {
  /// Where the blocks stand.
  let plane: CoefficientImage.Plane
  private let turn: Turn
  /// Blocks per row and block rows, as the original's samples lie.
  private let size: (columns: Int, rows: Int)
  /// For each zigzag position the place in a block of the transform.
  private let place: [64 of UInt8]
  /// For each zigzag position the quantization step, negative where turning changes the sign.
  private let step: [64 of Int32]
  /// For each place in a block of the transform the zigzag position.
  private let position: [64 of UInt8]
  private let quantizer: Quantizer

  /// - Parameters:
  ///   - plane: The component's place in the file's coefficients.
  ///   - table: Its quantization table, in zigzag order.
  ///   - turn: How the file's picture is turned in comparison with the original's.
  init(plane: CoefficientImage.Plane, table: [UInt16], turn: Turn) {
    self.plane = plane
    self.turn = turn
    let size = turn.size(width: plane.columns, height: plane.rows)
    self.size = (size.width, size.height)
    var place = [64 of UInt8](repeating: 0)
    var position = [64 of UInt8](repeating: 0)
    var step = [64 of Int32](repeating: 0)
    var steps = [UInt16](repeating: 1, count: 64)
    var isNegative = [Bool](repeating: false, count: 64)
    for zigzag in 0..<64 {
      let (row, column) = (Zigzag.natural[zigzag] / 8, Zigzag.natural[zigzag] % 8)
      let target = turn.transposes ? row * 8 + column : column * 8 + row
      place[zigzag] = UInt8(target)
      position[target] = UInt8(zigzag)
      steps[target] = table[zigzag]
      isNegative[target] =
        (turn.mirrorsX && column % 2 == 1) != (turn.mirrorsY && row % 2 == 1)
      step[zigzag] = isNegative[target] ? -Int32(table[zigzag]) : Int32(table[zigzag])
    }
    self.place = place
    self.position = position
    self.step = step
    quantizer = Quantizer(steps: steps, isNegative: isNegative)
  }

  /// The index of the block at a place of the original's grid.
  @inline(__always)
  func block(column: Int, row: Int) -> Int {
    let (x, y) = turn.destination(column: column, row: row, columns: size.columns, rows: size.rows)
    return plane.firstBlock &+ y &* plane.columns &+ x
  }

  /// The coefficients of a block, dequantized.
  ///
  /// - Parameter buffer: Room for a block, all zeros before and after.
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
      buffer[Int(place[zigzag])] = Int16(truncatingIfNeeded: value << 4)
    }
    let result = buffer.take()
    return energy > Self.mostEnergy ? Self.shortened(result) : result
  }

  private static var mostCoefficient: Int32 { Int32(BlockTransform.longest) }
  private static var mostEnergy: Int32 { mostCoefficient * mostCoefficient }

  /// A block so long that it can only be damage, with a length that the transform can work with.
  private static func shortened(_ block: Block) -> Block {
    // 64 coefficients of the largest size are eight times as long as is allowed.
    Block { block[$0] &>> SIMD8(repeating: 3) }
  }

  /// Quantizes a block and puts it into its place, which must be all zeros.
  ///
  /// - Returns: The mask of the coefficients that are not zero.
  @inline(__always)
  func quantize(
    _ values: Block,
    into coefficients: inout MutableSpan<Int16>,
    block: Int,
    _ buffer: inout BlockBuffer
  ) -> UInt64 {
    buffer.put(quantizer.quantized(values))
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

  /// Puts a block, unchanged but for the turn, into its place in another file, which must be all zeros.
  ///
  /// - Returns: The mask of the coefficients that are not zero.
  @inline(__always)
  func move(
    _ coefficients: Span<Int16>,
    block: Int,
    mask: UInt64,
    to target: BlockLayout,
    block targetBlock: Int,
    _ moved: inout MutableSpan<Int16>
  ) -> UInt64 {
    var left = mask
    var result: UInt64 = 0
    while left != 0 {
      let zigzag = left.trailingZeroBitCount
      left &= left &- 1
      let position = Int(target.position[Int(place[zigzag])])
      let value = coefficients[block &* 64 &+ zigzag]
      let changesSign = (step[zigzag] < 0) != (target.step[position] < 0)
      moved[targetBlock &* 64 &+ position] = changesSign ? 0 &- value : value
      result |= 1 &<< UInt64(truncatingIfNeeded: position)
    }
    return result
  }
}
