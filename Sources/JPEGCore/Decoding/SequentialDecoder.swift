internal import ImageOrientation

/// Reads one scan of a sequential image (T.81, F.2.2), block by block into a store.
struct SequentialDecoder {
  /// One block of each MCU, and what it takes to read it.
  private struct Step {
    var place: ScanLayout.Place
    /// Its component.
    var component: Int
    var dc: DecodeTable.Lookup
    var ac: DecodeTable.Lookup
  }

  private let layout: ScanLayout
  private let steps: [Step]
  /// Owns the tables of the steps.
  private let tables: ScanTables
  /// The offset of the data in the file, for errors.
  private let offset: Int

  /// - Parameters:
  ///   - layout: The order of the blocks.
  ///   - tables: Makes the scan's tables by ``TableIndex``.
  ///   - offset: The offset of the scan's data in the file.
  /// - Throws: ``DecodeError/unsupported(at:_:)`` if a table is missing, or is not one that the standard allows.
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
          dc: try tables.differences(part.dcTable),
          ac: try tables.coefficients(part.acTable)
        )
      )
    }
    self.steps = steps
  }

  /// The maximum number of blocks in a row of MCUs.
  var maxBlocksOfRow: Int { layout.mcus.columns * layout.places.count }

  /// What one row of MCUs leaves to the next.
  private struct State {
    var predictions = [4 of Int](repeating: 0)
    var untilRestart: Int
    var fills: [FillBits] = []
    var zeroRuns: [Int: Int] = [:]
    var padding: PaddingBlocks = [:]
  }

  /// The number of a block in the scan.
  private func number(_ step: Int, _ mcuColumn: Int, _ mcuRow: Int) -> Int {
    (mcuRow * layout.mcus.columns + mcuColumn) * steps.count + step
  }

  /// Reads the scan.
  ///
  /// - Parameters:
  ///   - data: Its entropy-coded data.
  ///   - placement: The requested blocks and their places.
  ///   - store: Takes the blocks.
  ///   - padding: Takes the padding blocks that do not follow the rule.
  /// - Returns: What is particular to the scan.
  /// - Throws: ``DecodeError``.
  func decode<Form: BlockForm>(
    _ data: Span<UInt8>,
    _ placement: BlockPlacement,
    into store: BlockStore<Form>,
    _ padding: inout PaddingBlocks
  ) throws(DecodeError) -> ReconstructionInfo.Scan {
    var result = ReconstructionInfo.Scan()
    var failure: DecodeError?
    var state = State(untilRestart: layout.restartInterval)
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
        let isSound = store.takeRun { run, transform in
          decode(rows, mcuRow, &transform, &reader, &state, &run)
        }
        guard isSound else { return stop("the data is no sequence of codes") }
        guard !store.isOutOfRange else { return stop("a coefficient is out of range") }
      }
      guard let tail = reader.tail(state.fills.count) else { return stop("the data does not end") }
      guard tail.strayBytes.count <= ReconstructionInfo.maxStrayBytes else {
        return stop("the data goes on for \(tail.strayBytes.count) bytes after the last MCU")
      }
      result.fill = Fill(state.fills + [tail.fill])
      result.endsWithRestart = tail.endsWithRestart
      result.strayBytes = tail.strayBytes
    }
    if let failure { throw failure }
    result.zeroRuns = state.zeroRuns
    for (place, block) in state.padding { padding[place] = block }
    return result
  }

  /// Some blocks of a row of MCUs.
  private struct Row {
    /// Where they go.
    var place: BlockPlacement.Row
    /// How many of them are in the image; the others are padding.
    var count: Int
  }

  /// For each step the blocks of a row of MCUs.
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

  /// Reads a row of MCUs.
  ///
  /// - Parameters:
  ///   - rows: For each step its blocks.
  ///   - mcuRow: The number of the row.
  ///   - transform: How to transform them.
  ///   - reader: The entropy-coded data.
  ///   - state: What the row before left.
  ///   - run: Takes the blocks.
  /// - Returns: Whether the data makes sense.
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
          guard let fill = reader.restart(state.fills.count) else { return false }
          state.fills.append(fill)
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
        let part = steps[index].place.part
        var zeroRuns = 0
        guard
          let shape = Self.block(
            steps[index].dc,
            steps[index].ac,
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
          run.put(block, component: steps[index].component, at: rows[index].place.place(mcuColumn))
        } else {
          run.passOver(block)
        }
      }
    }
    return !reader.isOverrun
  }

  /// Reads a block beyond the image's edge.
  ///
  /// - Returns: Whether the data makes sense.
  @inline(never)
  private func readPadding(
    _ index: Int,
    _ mcuColumn: Int,
    _ mcuRow: Int,
    _ transform: inout CoefficientTransform,
    _ reader: inout BitReader,
    _ state: inout State
  ) -> Bool {
    let (dc, ac, part) = (steps[index].dc, steps[index].ac, steps[index].place.part)
    let (before, prediction) = (reader, state.predictions[part])
    var zeroRuns = 0
    guard
      let shape = Self.block(dc, ac, &transform, &reader, &state.predictions[part], &zeroRuns)
    else { return false }
    let block = transform.transformed(dc: Int16(truncatingIfNeeded: state.predictions[part]), shape)
    if zeroRuns > 0 { state.zeroRuns[number(index, mcuColumn, mcuRow)] = zeroRuns }
    if block.mask != 0 || state.predictions[part] != prediction {
      let place = layout.padding(steps[index].place, mcuColumn, mcuRow)
      state.padding[place] = Self.coefficients(dc, ac, before, prediction)
    }
    return !block.isOutOfRange
  }

  /// Reads a block once more, as it is stored.
  ///
  /// - Parameters:
  ///   - dc: The table of its DC difference.
  ///   - ac: The table of its AC coefficients.
  ///   - source: The entropy-coded data from the block on.
  ///   - prediction: The DC coefficient of the block before.
  /// - Returns: 64 coefficients in zigzag order.
  @inline(never)
  private static func coefficients(
    _ dc: DecodeTable.Lookup,
    _ ac: DecodeTable.Lookup,
    _ source: BitReader,
    _ prediction: Int
  ) -> [Int16] {
    var transform = CoefficientTransform(.none)
    var (reader, prediction, zeroRuns) = (source, prediction, 0)
    guard let shape = block(dc, ac, &transform, &reader, &prediction, &zeroRuns) else { return [] }
    let block = transform.transformed(dc: Int16(truncatingIfNeeded: prediction), shape)
    return (0..<64).map { position in
      position == 0
        ? block.dc : block.mask >> UInt64(position) & 1 == 1 ? block.value(at: position) : 0
    }
  }

  /// Reads a block (T.81, F.2.2.1 and F.2.2.2).
  ///
  /// A function by itself, which has all registers to itself.
  ///
  /// - Parameters:
  ///   - dc: The table of its DC difference.
  ///   - ac: The table of its AC coefficients.
  ///   - transform: Transforms the coefficients, and keeps them.
  ///   - source: The entropy-coded data.
  ///   - prediction: The DC coefficient of the block before; becomes that of this one.
  ///   - zeroRuns: Becomes the number of codes for 16 zeros at the end of the block, where there are any.
  /// - Returns: What is known of the AC coefficients; nil where the data makes no sense.
  @inline(never)
  private static func block(
    _ dc: DecodeTable.Lookup,
    _ ac: DecodeTable.Lookup,
    _ transform: inout CoefficientTransform,
    _ source: inout BitReader,
    _ prediction: inout Int,
    _ zeroRuns: inout Int
  ) -> TransformedBlock.Shape? {
    var reader = source
    defer { source = reader }
    reader.fill()
    guard let difference = reader.difference(dc) else { return nil }
    prediction &+= difference
    // Without a branch for the sign, which would be mispredicted half of the time.
    let largest = TransformedBlock.tooLarge &- 1
    guard UInt(bitPattern: prediction &+ largest) <= 2 &* largest else { return nil }
    var shape = TransformedBlock.Shape()
    var position = 0
    // Where codes for 16 zeros have led, if they were the last codes, and from where.
    var (zerosEnd, zerosStart) = (-1, 0)
    // Four groups, or three after a difference or another value, leave enough bits for a code.
    var left = 3
    while true {
      var group = reader.group(ac)
      while position &+ group.advance < 63 {
        reader.skip(group.length)
        transform.take(group.first, at: position &+ group.offset, into: &shape)
        position &+= group.advance
        transform.take(group.second, at: position, into: &shape)
        left &-= 1
        if left == 0 {
          reader.fill()
          left = 4
        }
        group = reader.group(ac)
      }
      // EOB, unless the coefficient before it is the block's last and nothing says its end.
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
      guard let (zeros, size) = reader.symbol(ac) else { return nil }
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
      left = 3
    }
  }
}
