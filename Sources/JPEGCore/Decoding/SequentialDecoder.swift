internal import ImageOrientation

/// Decodes one scan of a sequential image (T.81, F.2.2) block by block into a store.
struct SequentialDecoder {
  /// One block of each MCU, with its component and tables.
  private struct Step {
    var place: ScanLayout.Place
    var component: Int
    var tables: BlockTables
  }

  private let layout: ScanLayout
  private let steps: [Step]
  /// Owns the tables that the steps refer to.
  private let tables: ScanTables
  /// The offset of the data in the file, for errors.
  private let offset: Int

  /// - Throws: ``DecodeError/unsupported(at:_:)`` if a table is missing or invalid.
  init(_ layout: ScanLayout, _ tables: ScanTables, at offset: Int) throws(DecodeError) {
    self.layout = layout
    self.offset = offset
    self.tables = tables
    var steps: [Step] = []
    for place in layout.places {
      let part = layout.parts[place.part]
      steps.append(
        Step(
          place: place,
          component: part.component,
          tables: BlockTables(
            dc: try tables.differences(part.dcTable),
            ac: try tables.coefficients(part.acTable)
          )
        )
      )
    }
    self.steps = steps
  }

  /// The maximum number of blocks in a row of MCUs.
  var maxBlocksOfRow: Int { layout.mcus.columns * layout.places.count }

  /// The state between two rows of MCUs.
  private struct State {
    var predictions = [4 of Int](repeating: 0)
    var untilRestart: Int
    var intervals = ReconstructionInfo.Intervals()
    var isAtRestart = false
    var zeroRuns: [Int: Int] = [:]
    var padding: PaddingBlocks = [:]
  }

  private func number(_ step: Int, _ mcuColumn: Int, _ mcuRow: Int) -> Int {
    (mcuRow * layout.mcus.columns + mcuColumn) * steps.count + step
  }

  /// Decodes the scan, and returns its details that the coefficients do not determine.
  func decode<Form: BlockForm>(
    _ data: Span<UInt8>,
    _ placement: BlockPlacement,
    into store: BlockStore<Form>,
    _ padding: inout PaddingBlocks
  ) throws(DecodeError) -> ReconstructionInfo.Scan {
    var result = ReconstructionInfo.Scan()
    var failure: DecodeError?
    var state = State(untilRestart: layout.restartInterval)
    var transform = CoefficientTransform(placement.transform)
    unsafe data.withUnsafeBufferPointer { data in
      guard let start = data.baseAddress else {
        failure = .damaged(at: offset, "the scan has no data")
        return
      }
      var reader = unsafe BitReader(start, count: data.count)
      func stop(_ message: String) {
        failure = unsafe .damaged(at: offset + (reader.position - start), message)
      }
      for mcuRow in 0..<layout.mcus.rows {
        if let limit = WorkLimit.reached {
          failure = .stopped(limit)
          return
        }
        let rows = rows(mcuRow, placement)
        let isSound = store.takeRun { run in
          decode(rows, mcuRow, &transform, &reader, &state, &run)
        }
        guard isSound else { return stop(reader.complaint(atRestart: state.isAtRestart)) }
        guard !store.isOutOfRange else { return stop("a coefficient is out of range") }
      }
      let last = reader
      guard let tail = reader.tail(state.intervals.count) else {
        return stop(reader.complaint(atRestart: false))
      }
      guard !goesOn(after: last, tail) else { return stop(Self.goesOn) }
      result = state.intervals.scan(endingWith: tail)
    }
    if let failure { throw failure }
    result.zeroRuns = state.zeroRuns
    for (place, block) in state.padding { padding[place] = block }
    return result
  }

  /// The blocks of one step in a row of MCUs.
  private struct Row {
    var place: BlockPlacement.Row
    /// The number of blocks that belong to the image; the others are padding.
    var count: Int
  }

  private func rows(_ mcuRow: Int, _ placement: BlockPlacement) -> [Row] {
    zip(steps, layout.rows(mcuRow)).map { step, row in
      let unit = layout.parts[step.place.part].unit
      return Row(
        place: placement.row(
          step.component,
          row: mcuRow * unit.rows + step.place.row,
          from: step.place.column,
          by: unit.columns
        ),
        count: row.count
      )
    }
  }

  /// Decodes a row of MCUs, updates the state, and passes the blocks to `run`; false if the data is invalid.
  @inline(__always)
  private func decode<Form: BlockForm>(
    _ rows: [Row],
    _ mcuRow: Int,
    _ transform: inout CoefficientTransform,
    _ reader: inout BitReader,
    _ state: inout State,
    _ run: inout BlockRun<Form>
  ) -> Bool {
    for mcuColumn in 0..<layout.mcus.columns {
      if layout.restartInterval > 0 {
        if state.untilRestart == 0 {
          let last = reader
          guard let tail = reader.restart(state.intervals.count), !goesOn(after: last, tail) else {
            state.isAtRestart = true
            return false
          }
          state.intervals.append(tail)
          state.untilRestart = layout.restartInterval
          state.predictions = [4 of Int](repeating: 0)
        }
        state.untilRestart &-= 1
      }
      for index in steps.indices {
        let isRequested = rows[index].place.requested.contains(mcuColumn)
        if !isRequested, mcuColumn >= rows[index].count {
          guard readPadding(index, mcuColumn, mcuRow, &transform, &reader, &state) else {
            return false
          }
          continue
        }
        let (component, part) = (steps[index].component, steps[index].place.part)
        if isRequested,
          run.copy(
            steps[index].tables,
            &reader,
            &state.predictions[part],
            component: component,
            at: rows[index].place.place(mcuColumn)
          )
        {
          continue
        }
        var zeroRuns = 0
        guard
          let shape = Self.block(
            steps[index].tables,
            &transform,
            &reader,
            &state.predictions[part],
            &zeroRuns
          )
        else { return false }
        let block = transform.transformed(
          dc: Int16(truncatingIfNeeded: state.predictions[part]),
          shape
        )
        if zeroRuns > 0 { state.zeroRuns[number(index, mcuColumn, mcuRow)] = zeroRuns }
        if isRequested {
          run.put(block, component: component, at: rows[index].place.place(mcuColumn))
        } else {
          run.passOver(block)
        }
      }
    }
    return !reader.isOverrun
  }

  private static let goesOn = "the data goes on with further blocks after the last MCU"

  /// Returns whether the bytes after the last MCU are blocks like those before it, up to their end.
  ///
  /// Then data before them is damaged, and they are the rest of the image. Other bytes are what a device has left. Where a decoder finds codes again after damage, the component is not known.
  @inline(never)
  private func goesOn(after last: BitReader, _ tail: BitReader.Tail) -> Bool {
    // Few bytes, those that are the same, and texts are no codes.
    guard tail.strayBytes.count > 8, Set(tail.strayBytes).count > 1,
      tail.strayBytes.contains(where: { $0 > 0x7F })
    else { return false }
    var transform = CoefficientTransform(.none)
    return steps.indices.contains { first in
      var (reader, zeroRuns) = (last, 0)
      var index = first
      while true {
        var prediction = 0
        guard
          Self.block(steps[index].tables, &transform, &reader, &prediction, &zeroRuns) != nil
        else { return false }
        reader.fill()
        if reader.isOverrun { return false }
        if reader.isAtPaddedEnd { return true }
        index = (index + 1) % steps.count
      }
    }
  }

  /// Decodes a padding block; false if the data is invalid.
  @inline(never)
  private func readPadding(
    _ index: Int,
    _ mcuColumn: Int,
    _ mcuRow: Int,
    _ transform: inout CoefficientTransform,
    _ reader: inout BitReader,
    _ state: inout State
  ) -> Bool {
    let (tables, part) = (steps[index].tables, steps[index].place.part)
    let (before, prediction) = (reader, state.predictions[part])
    var zeroRuns = 0
    guard
      let shape = Self.block(tables, &transform, &reader, &state.predictions[part], &zeroRuns)
    else { return false }
    let block = transform.transformed(dc: Int16(truncatingIfNeeded: state.predictions[part]), shape)
    if zeroRuns > 0 { state.zeroRuns[number(index, mcuColumn, mcuRow)] = zeroRuns }
    if block.mask != 0 || state.predictions[part] != prediction {
      let place = layout.padding(steps[index].place, mcuColumn, mcuRow)
      state.padding[place] = Self.coefficients(tables, before, prediction)
    }
    return !block.shape.isOutOfRange
  }

  /// Decodes the 64 coefficients of a padding block a second time, without the transform, in zigzag order.
  @inline(never)
  private static func coefficients(
    _ tables: BlockTables,
    _ source: BitReader,
    _ prediction: Int
  ) -> [Int16] {
    var transform = CoefficientTransform(.none)
    var (reader, prediction, zeroRuns) = (source, prediction, 0)
    guard let shape = block(tables, &transform, &reader, &prediction, &zeroRuns) else { return [] }
    let block = transform.transformed(dc: Int16(truncatingIfNeeded: prediction), shape)
    return (0..<64).map { position in
      position == 0
        ? block.dc : block.mask >> UInt64(position) & 1 == 1 ? block.value(at: position) : 0
    }
  }

  /// Decodes a block (T.81, F.2.2.1 and F.2.2.2).
  ///
  /// The inner loop takes a ``DecodeTable/Group`` of one or two coefficients with each lookup, as long as the group
  /// ends before zigzag position 63. It does not test for EOB, run length or sign: the group has the distances and the
  /// extended values, and an EOB or an unusual symbol has an `advance` that ends the loop. The code after the loop
  /// handles an EOB group, then a single symbol: ZRL, EOB, a coefficient with a long code, or the coefficient at
  /// position 63. The buffer is refilled as often as ``DecodeTable/groups(after:)`` requires. The function is not
  /// inlined and works on a local copy of the reader, which keeps its state in registers.
  ///
  /// - Returns: The shape of the AC coefficients; nil if the data is invalid.
  @inline(never)
  private static func block(
    _ tables: BlockTables,
    _ transform: inout CoefficientTransform,
    _ source: inout BitReader,
    _ prediction: inout Int,
    _ zeroRuns: inout Int
  ) -> TransformedBlock.Shape? {
    var reader = source
    defer { source = reader }
    reader.fill()
    guard reader.readDC(tables.dc, &prediction) else { return nil }
    var shape = TransformedBlock.Shape()
    var position = 0
    // The position after the latest ZRL codes, if no other code followed them, and the position before them.
    var (zerosEnd, zerosStart) = (-1, 0)
    // The number of groups until the next refill; a DC difference without a refill takes fewer bits than a value.
    var left = BitReader.groupsAfterValue
    while true {
      var group = reader.group(tables.ac)
      while position &+ group.advance < 63 {
        let last = reader.value(after: group.before, shift: group.shift)
        reader.skip(group.length)
        transform.take(group.first, at: position &+ group.offset, into: &shape)
        position &+= group.advance
        transform.take(last, at: position, into: &shape)
        left &-= 1
        if left == 0 {
          reader.fill()
          left = DecodeTable.groups()
        }
        group = reader.group(tables.ac)
      }
      // An EOB, maybe after a coefficient; not if that coefficient is at position 63, because no EOB follows there.
      let last = position &+ group.offset
      if group.length > 0, group.advance == DecodeTable.Group.end,
        last & (DecodeTable.Group.beyond &- 1) < 63
      {
        reader.skip(group.length)
        transform.take(group.first, at: last, into: &shape)
        if position == zerosEnd, group.offset == DecodeTable.Group.beyond {
          zeroRuns = (position &- zerosStart) &>> 4
        }
        return shape
      }
      guard let (zeros, size) = reader.symbol(tables.ac) else { return nil }
      reader.fill()
      if size == 0 {
        if zeros == 0 {
          if position == zerosEnd { zeroRuns = (position &- zerosStart) &>> 4 }
          return shape
        }
        guard zeros == 15 else { return nil }
        if position != zerosEnd { zerosStart = position }
        position &+= 16
        zerosEnd = position
      } else {
        position &+= zeros &+ 1
        guard position <= 63 else { return nil }
        let value = reader.value(category: size)
        transform.take(value, at: position, into: &shape)
        shape.note(value)
      }
      guard position < 63 else {
        guard position == 63 else { return nil }
        if position == zerosEnd { zeroRuns = (position &- zerosStart) &>> 4 }
        return shape
      }
      left = BitReader.groupsAfterValue
    }
  }
}

extension BitReader {
  /// The number of groups until a refill, after a value of the largest category or a DC difference that was looked up.
  @inline(__always)
  static var groupsAfterValue: Int {
    DecodeTable.groups(after: max(maxCategory, DecodeTable.lookahead))
  }

  /// Reads a DC difference and adds it to the prediction.
  ///
  /// - Returns: Whether there is a code, and the sum is in range (``TransformedBlock/tooLarge``).
  @inline(__always)
  mutating func readDC(_ table: DecodeTable.Lookup, _ prediction: inout Int) -> Bool {
    guard let difference = difference(table) else { return false }
    prediction &+= difference
    // One comparison for both signs: a branch for the sign would be mispredicted half of the time.
    let largest = TransformedBlock.tooLarge &- 1
    return UInt(bitPattern: prediction &+ largest) <= 2 &* largest
  }
}
