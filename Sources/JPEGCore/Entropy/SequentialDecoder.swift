/// Reads one scan of a sequential picture (T.81, F.2.2), block by block into a store.
///
/// It reads what an encoder writes that keeps to the standard, and says no to everything else: whether that is
/// damage, and what it means, is for a decoder to say that reads more.
struct SequentialDecoder {
  /// One block of each MCU, and what it takes to read it.
  private struct Step {
    /// Its component in the frame, and in the scan.
    var component: Int
    var part: Int
    /// Its column and its row within the MCU.
    var column: Int
    var row: Int
    /// By how much they grow from MCU to MCU.
    var columns: Int
    var rows: Int
    var dc: DecodeTable
    var ac: DecodeTable
  }

  private let layout: ScanLayout
  private let steps: [Step]

  /// Gives nil where a table is missing, or is not one that the standard allows.
  ///
  /// - Parameters:
  ///   - layout: The order of the blocks.
  ///   - tables: The scan's tables by ``TableIndex``.
  init?(_ layout: ScanLayout, _ tables: [HuffmanTable?]) {
    self.layout = layout
    var made: [Int: DecodeTable] = [:]
    for part in layout.parts {
      for index in [part.dcTable, part.acTable] where made[index] == nil {
        guard let table = tables[index],
          index == part.acTable || table.symbols.allSatisfy({ $0 <= 15 })
        else { return nil }
        made[index] = DecodeTable(table)
      }
    }
    var steps: [Step] = []
    for place in layout.places {
      let part = layout.parts[place.part]
      guard let dc = made[part.dcTable], let ac = made[part.acTable] else { return nil }
      steps.append(
        Step(
          component: part.component,
          part: place.part,
          column: place.column,
          row: place.row,
          columns: part.unit.columns,
          rows: part.unit.rows,
          dc: dc,
          ac: ac
        )
      )
    }
    self.steps = steps
  }

  /// The most blocks that a row of MCUs has.
  var blocksOfRow: Int { layout.mcus.columns * layout.places.count }

  /// Reads the scan.
  ///
  /// - Parameters:
  ///   - data: Its entropy-coded data.
  ///   - placement: Which blocks are wanted, and where they go.
  ///   - store: Takes the blocks.
  /// - Returns: Whether the data was what it should be, up to its end.
  func decode<Form: BlockForm>(
    _ data: Span<UInt8>,
    _ placement: BlockPlacement,
    into store: BlockStore<Form>
  ) -> Bool {
    unsafe data.withUnsafeBufferPointer { data in
      guard let start = data.baseAddress else { return false }
      var reader = unsafe BitReader(start, count: data.count)
      var state = State(untilRestart: layout.restartInterval)
      for mcuRow in 0..<layout.mcus.rows {
        guard WorkLimit.reached == nil else { return false }
        let isSound = store.takeRun { run, turn in
          decode(row: mcuRow, placement, turn, &reader, &state, &run)
        }
        guard isSound, !store.isOutOfRange else { return false }
      }
      return reader.isAtEnd()
    }
  }

  /// What one row of MCUs leaves to the next.
  private struct State {
    var predictions = [4 of Int](repeating: 0)
    var untilRestart: Int
    var restarts = 0
  }

  /// Reads a row of MCUs.
  @inline(__always)
  private func decode<Form: BlockForm>(
    row mcuRow: Int,
    _ placement: BlockPlacement,
    _ turn: borrowing BlockTurn,
    _ source: inout BitReader,
    _ state: inout State,
    _ run: inout BlockRun<Form>
  ) -> Bool {
    // A local variable stays in registers.
    var reader = source
    defer { source = reader }
    for mcuColumn in 0..<layout.mcus.columns {
      if layout.restartInterval > 0 {
        if state.untilRestart == 0 {
          guard reader.restart(state.restarts) else { return false }
          state.restarts &+= 1
          state.untilRestart = layout.restartInterval
          state.predictions = [4 of Int](repeating: 0)
        }
        state.untilRestart &-= 1
      }
      for step in steps {
        guard let block = Self.block(step, turn, &reader, &state.predictions[step.part]) else {
          return false
        }
        let column = mcuColumn &* step.columns &+ step.column
        let row = mcuRow &* step.rows &+ step.row
        if let target = placement.place(step.component, column: column, row: row) {
          run.put(block, component: step.component, at: target)
        } else {
          run.passOver(block)
        }
      }
    }
    return !reader.isOverrun
  }

  /// Reads a block (T.81, F.2.2.1 and F.2.2.2).
  ///
  /// - Returns: The turned block; nil where the data makes no sense.
  @inline(__always)
  private static func block(
    _ step: Step,
    _ turn: borrowing BlockTurn,
    _ reader: inout BitReader,
    _ prediction: inout Int
  ) -> TurnedBlock? {
    // There are at least 10 × left + 6 bits: enough for a code, or for so many coefficients that are looked up.
    reader.fill()
    var left = 4
    if let (_, difference) = reader.coefficient(step.dc) {
      prediction &+= difference
    } else {
      guard let (_, size) = reader.symbol(step.dc) else { return nil }
      if size > 0 { prediction &+= reader.value(category: size) }
      reader.fill()
    }
    guard abs(prediction) < TurnedBlock.tooLarge else { return nil }
    var shape = TurnedBlock.Shape()
    var position = 0
    reading: while position < 63 {
      while left > 0, let (distance, value) = reader.coefficient(step.ac) {
        left &-= 1
        position &+= distance
        guard position < 63 else {
          guard position == 63 else { return nil }
          turn.take(value, at: position, isNarrow: true, into: &shape)
          break reading
        }
        turn.take(value, at: position, isNarrow: true, into: &shape)
      }
      guard left > 0 else {
        reader.fill()
        left = 5
        continue
      }
      guard let (zeros, size) = reader.symbol(step.ac) else { return nil }
      if size == 0, zeros == 0 { break }  // EOB
      reader.fill()
      left = 3
      if size == 0 {
        guard zeros == 15 else { return nil }
        position &+= 16
      } else {
        position &+= zeros &+ 1
        guard position <= 63 else { return nil }
        let value = reader.value(category: size)
        turn.take(value, at: position, isNarrow: false, into: &shape)
      }
    }
    // A run of zeros that leads out of the block.
    guard position <= 63 else { return nil }
    return turn.turned(dc: Int16(truncatingIfNeeded: prediction), shape)
  }
}

extension BitReader {
  /// Reads a coefficient that is looked up as a whole.
  ///
  /// - Parameter table: Its table.
  /// - Returns: How far behind the one before it stands, and the coefficient; nil, with nothing read, for any
  ///   other symbol.
  @inline(__always)
  fileprivate mutating func coefficient(_ table: DecodeTable) -> (distance: Int, value: Int)? {
    let entry = entry(table)
    guard entry >= 1 &<< 16 || entry < 0 else { return nil }
    skip(of: entry)
    return (entry &>> 8 & 0xFF, entry &>> 16)
  }

  /// Reads a symbol without additional bits.
  ///
  /// - Parameter table: Its table.
  /// - Returns: The upper half of the symbol, a number of zeros, and the lower, a category; nil where no code
  ///   begins with the bits that come next.
  @inline(__always)
  fileprivate mutating func symbol(_ table: DecodeTable) -> (zeros: Int, size: Int)? {
    let entry = entry(table)
    if entry & 0xFF > 0 {
      skip(entry & 0xFF)
      return (entry &>> 12 & 15, entry &>> 8 & 15)
    }
    guard let (symbol, length) = table.longCode(UInt32(truncatingIfNeeded: bits &>> 48)) else {
      return nil
    }
    skip(length)
    return (symbol &>> 4, symbol & 15)
  }

  @inline(__always)
  private func entry(_ table: DecodeTable) -> Int {
    unsafe Int(table.entries[Int(bits &>> UInt64(64 &- DecodeTable.lookahead))])
  }
}
