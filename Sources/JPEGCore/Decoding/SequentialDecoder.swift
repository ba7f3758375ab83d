/// Reads one scan of a sequential picture (T.81, F.2.2), block by block into a store.
///
/// It reads what an encoder writes that keeps to the standard, and says no to everything else: whether that is
/// damage, and what it means, is for a decoder to say that reads more.
struct SequentialDecoder {
  /// One block of each MCU, and what it takes to read it.
  private struct Step {
    var place: ScanLayout.Place
    /// Its component.
    var component: Int
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
        made[index] = DecodeTable(table, for: index == part.dcTable ? .differences : .coefficients)
      }
    }
    var steps: [Step] = []
    for place in layout.places {
      let part = layout.parts[place.part]
      guard let dc = made[part.dcTable], let ac = made[part.acTable] else { return nil }
      steps.append(Step(place: place, component: part.component, dc: dc, ac: ac))
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
        let rows = steps.map { step in
          let unit = layout.parts[step.place.part].unit
          return placement.row(
            step.component,
            row: mcuRow * unit.rows + step.place.row,
            from: step.place.column,
            by: unit.columns
          )
        }
        let isSound = store.takeRun { run, turn in
          decode(rows, turn, &reader, &state, &run)
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
  ///
  /// - Parameters:
  ///   - rows: For each step where its blocks go.
  ///   - turn: How to turn them.
  ///   - reader: The entropy-coded data.
  ///   - state: What the row before left.
  ///   - run: Takes the blocks.
  /// - Returns: Whether the data makes sense.
  @inline(__always)
  private func decode<Form: BlockForm>(
    _ rows: [BlockPlacement.Row],
    _ turn: borrowing BlockTurn,
    _ reader: inout BitReader,
    _ state: inout State,
    _ run: inout BlockRun<Form>
  ) -> Bool {
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
      for index in steps.indices {
        let (dc, ac, part) = (steps[index].dc, steps[index].ac, steps[index].place.part)
        guard let shape = Self.block(dc, ac, turn, &reader, &state.predictions[part]) else {
          return false
        }
        let block = turn.turned(dc: Int16(truncatingIfNeeded: state.predictions[part]), shape)
        if rows[index].wanted.contains(mcuColumn) {
          run.put(block, component: steps[index].component, at: rows[index].place(mcuColumn))
        } else {
          run.passOver(block)
        }
      }
    }
    return !reader.isOverrun
  }

  /// Reads a block (T.81, F.2.2.1 and F.2.2.2).
  ///
  /// A function by itself, which has all registers to itself.
  ///
  /// - Parameters:
  ///   - dc: The table of its DC difference.
  ///   - ac: The table of its AC coefficients.
  ///   - turn: Turns the coefficients, and keeps them.
  ///   - source: The entropy-coded data.
  ///   - prediction: The DC coefficient of the block before; becomes that of this one.
  /// - Returns: What is known of the AC coefficients; nil where the data makes no sense.
  @inline(never)
  private static func block(
    _ dc: DecodeTable,
    _ ac: DecodeTable,
    _ turn: borrowing BlockTurn,
    _ source: inout BitReader,
    _ prediction: inout Int
  ) -> TurnedBlock.Shape? {
    var reader = source
    defer { source = reader }
    reader.fill()
    guard let difference = reader.difference(dc) else { return nil }
    prediction &+= difference
    // Without a branch for the sign, which no processor foresees.
    let largest = TurnedBlock.tooLarge &- 1
    guard UInt(bitPattern: prediction &+ largest) <= 2 &* largest else { return nil }
    var shape = TurnedBlock.Shape()
    var position = 0
    // Four groups, or three behind a difference or another value, leave enough bits for a code.
    var left = 3
    while true {
      var group = reader.group(ac)
      while position &+ group.advance < 63 {
        reader.skip(group.length)
        turn.take(group.first, at: position &+ group.offset, into: &shape)
        position &+= group.advance
        turn.take(group.second, at: position, into: &shape)
        left &-= 1
        if left == 0 {
          reader.fill()
          left = 4
        }
        group = reader.group(ac)
      }
      // The end of a block, unless the coefficient before it is the block's last and nothing says its end.
      let last = position &+ group.offset
      if group.length > 0, group.advance == DecodeTable.Group.end,
        last & (DecodeTable.Group.beyond &- 1) < 63
      {
        reader.skip(group.length)
        turn.take(group.first, at: last, into: &shape)
        return shape
      }
      guard let (zeros, size) = reader.symbol(ac) else { return nil }
      reader.fill()
      if size == 0 {
        if zeros == 0 { return shape }
        guard zeros == 15 else { return nil }
        position &+= 16
      } else {
        position &+= zeros &+ 1
        guard position <= 63 else { return nil }
        let value = reader.value(category: size)
        turn.take(value, at: position, into: &shape)
        shape.note(value)
      }
      guard position < 63 else { return position == 63 ? shape : nil }
      left = 3
    }
  }
}

extension BitReader {
  /// What the next bits begin with; it is left to the caller to skip it.
  ///
  /// - Parameter table: The table of AC coefficients.
  /// - Returns: The group, with what it measures as numbers to reckon with.
  @inline(__always)
  fileprivate func group(
    _ table: DecodeTable
  ) -> (length: Int, offset: Int, advance: Int, first: Int16, second: Int16) {
    let group = unsafe table.groups + lookedUp
    return unsafe (
      Int(group.pointee.length), Int(group.pointee.offset), Int(group.pointee.advance),
      group.pointee.first, group.pointee.second
    )
  }

  /// Reads a DC difference.
  ///
  /// - Parameter table: Its table.
  /// - Returns: The difference; nil where no code begins with the bits that come next.
  @inline(__always)
  fileprivate mutating func difference(_ table: DecodeTable) -> Int? {
    let group = group(table)
    var value = group.first
    if group.length > 0 {
      skip(group.length)
    } else {
      guard let (_, size) = symbol(table) else { return nil }
      value = size > 0 ? self.value(category: size) : 0
      fill()
    }
    return Int(value &- value &>> 15)
  }

  /// Reads a symbol without additional bits.
  ///
  /// - Parameter table: Its table.
  /// - Returns: The upper half of the symbol, a number of zeros, and the lower, a category; nil where no code
  ///   begins with the bits that come next.
  @inline(__always)
  fileprivate mutating func symbol(_ table: DecodeTable) -> (zeros: Int, size: Int)? {
    let code = unsafe Int(table.codes[lookedUp])
    if code > 0 {
      skip(code & 0xFF)
      return (code &>> 12, code &>> 8 & 15)
    }
    guard let (symbol, length) = table.longCode(UInt32(truncatingIfNeeded: bits &>> 48)) else {
      return nil
    }
    skip(length)
    return (symbol &>> 4, symbol & 15)
  }

  @inline(__always)
  private var lookedUp: Int { Int(bits &>> UInt64(64 &- DecodeTable.lookahead)) }
}
