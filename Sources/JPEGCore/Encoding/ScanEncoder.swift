/// Huffman-codes one scan of an image (T.81, F.1.2 and G.1.2), with the conventions of libjpeg by default.
///
/// The same code records the symbols and writes them, so a table made from the counts has a code for every symbol.
struct ScanEncoder {
  private let header: ScanHeader
  private let isProgressive: Bool
  let layout: ScanLayout

  init(header: ScanHeader, frame: Frame, restartInterval: Int) {
    self.header = header
    isProgressive = frame.process.isProgressive
    layout = ScanLayout(header, frame, restartInterval: restartInterval)
  }

  /// The tables that the scan uses, by ``TableIndex``.
  var tables: Set<Int> {
    var result: Set<Int> = []
    for part in layout.parts {
      // Refinement scans of DC coefficients have no Huffman codes.
      if header.spectrum.lowerBound == 0, header.approximationHigh == 0 || !isProgressive {
        result.insert(part.dcTable)
      }
      if header.spectrum.upperBound > 0 { result.insert(part.acTable) }
    }
    return result
  }

  /// Codes the whole scan.
  ///
  /// `padding` are the padding blocks that do not repeat the DC coefficient of the block before them.
  func encode<Sink: EntropySink & ~Copyable>(
    _ image: borrowing SparseImage,
    _ info: ReconstructionInfo.Scan = ReconstructionInfo.Scan(),
    padding: PaddingBlocks = [:],
    into sink: inout Sink
  ) {
    switch (isProgressive, header.spectrum.lowerBound == 0, header.approximationHigh == 0) {
    case (false, _, _) where info.zeroRuns.isEmpty:
      encode(image, padding, with: SequentialCoder(), into: &sink)
    case (false, _, _): encode(image, padding, with: ZeroRunCoder(info.zeroRuns), into: &sink)
    case (true, true, true):
      encode(image, padding, with: FirstDCCoder(shift: header.approximationLow), into: &sink)
    case (true, true, false):
      encode(image, padding, with: RefiningDCCoder(shift: header.approximationLow), into: &sink)
    case (true, false, true):
      encode(
        image,
        padding,
        with: FirstACCoder(spectrum: header.spectrum, shift: header.approximationLow, info),
        into: &sink
      )
    case (true, false, false):
      encode(
        image,
        padding,
        with: RefiningACCoder(spectrum: header.spectrum, shift: header.approximationLow, info),
        into: &sink
      )
    }
  }

  /// Codes blocks from the values of their coefficients.
  @inline(__always)
  private func encode<Coder: BlockCoder, Sink: EntropySink & ~Copyable>(
    _ image: borrowing SparseImage,
    _ padding: PaddingBlocks,
    with coder: Coder,
    into sink: inout Sink
  ) {
    let (blocks, values) = (image.blocks.span, image.values.span)
    // Scans of DC coefficients use no values.
    let prefetched = header.spectrum.upperBound > 0 ? blocks.count : 0
    walk(padding, with: coder, into: &sink) { block, part, prediction, coder, sink in
      // In a transposed image, the values of neighbouring blocks are a row of the source apart.
      let soon = block &+ 2 &* part.unit.columns
      if soon < prefetched { values.prefetch(at: blocks[soon].start) }
      coder.code(
        blocks[block],
        values,
        prediction: &prediction,
        dcTable: part.dcTable,
        acTable: part.acTable,
        into: &sink
      )
    }
  }

  /// Writes the whole scan of a sequential image whose AC coefficients are coded already.
  ///
  /// `padding` are the padding blocks that do not repeat the DC coefficient of the block before them.
  func encode(
    _ image: borrowing CodedImage,
    padding: PaddingBlocks = [:],
    into writer: inout BitWriter
  ) {
    let (blocks, words) = (image.blocks.span, image.words.span)
    walk(padding, with: SequentialCoder(), into: &writer) {
      block,
      part,
      prediction,
      _,
      writer in
      let soon = block &+ 4 &* part.unit.columns
      if soon < blocks.count { words.prefetch(at: blocks[soon].start) }
      blocks.prefetch(at: block &+ 64)
      var register = writer.open()
      let block = blocks[block]
      let dc = Int(block.dc)
      var (index, left) = (block.start, block.bits)
      // The first word is appended together with the code of the DC coefficient, which has at most 31 bits.
      let first = min(left, 32)
      register.put(
        difference: dc &- prediction,
        table: part.dcTable,
        words.bits(at: index).first(first),
        first
      )
      prediction = dc
      index &+= 1
      left &-= first
      while left > 0 {
        let number = min(left, 64)
        register.append(words.bits(at: index).first(number), number)
        index &+= 2
        left &-= number
      }
      writer.close(register)
    }
  }

  /// Visits the blocks of all MCUs, including padding blocks, and ends restart intervals.
  @inline(__always)
  func walk<Coder: BlockCoder, Sink: EntropySink & ~Copyable>(
    _ padding: PaddingBlocks,
    with coder: Coder,
    into sink: inout Sink,
    _ code: (
      _ block: Int, _ part: ScanLayout.Part, _ prediction: inout Int, _ coder: inout Coder,
      _ sink: inout Sink
    ) -> Void
  ) {
    var coder = coder
    var predictions = [4 of Int](repeating: 0)
    let (parts, places, restartInterval) = (layout.parts, layout.places, layout.restartInterval)
    var (untilRestart, restarts) = (restartInterval, 0)
    for mcuRow in 0..<layout.mcus.rows {
      if WorkLimit.reached != nil || sink.isFull { break }
      let rows = layout.rows(mcuRow)
      for mcuColumn in 0..<layout.mcus.columns {
        if restartInterval > 0 {
          if untilRestart == 0 {
            coder.finish(&sink)
            sink.restart(restarts)
            restarts += 1
            untilRestart = restartInterval
            predictions = [4 of Int](repeating: 0)
          }
          untilRestart -= 1
        }
        for index in places.indices {
          let (number, row) = (places[index].part, rows[index])
          if mcuColumn < row.count {
            let block = row.first &+ mcuColumn &* row.step
            code(block, parts[number], &predictions[number], &coder, &sink)
          } else {
            let block = layout.padding(places[index], mcuColumn, mcuRow)
            let coefficients = padding.isEmpty ? nil : padding[block]
            pad(number, coefficients, &predictions[number], &coder, &sink)
          }
        }
      }
    }
    coder.finish(&sink)
  }

  /// Codes a padding block; without `coefficients`, it repeats the DC coefficient of the block before it.
  @inline(never)
  private func pad<Coder: BlockCoder, Sink: EntropySink & ~Copyable>(
    _ number: Int,
    _ coefficients: [Int16]?,
    _ prediction: inout Int,
    _ coder: inout Coder,
    _ sink: inout Sink
  ) {
    let part = layout.parts[number]
    var values: [Int8] = []
    let shift = isProgressive ? header.approximationLow : 0
    let block =
      coefficients.map {
        SparseImage.append($0.span, 0, CoefficientImage.mask($0), to: &values)
      } ?? SparseImage.Block(dc: Int16(truncatingIfNeeded: prediction << shift))
    coder.code(
      block,
      values.span,
      prediction: &prediction,
      dcTable: part.dcTable,
      acTable: part.acTable,
      into: &sink
    )
  }

  /// The components with the ``TableIndex`` of each one's AC table; nil if the AC coefficients of a block are not
  /// coded together.
  var acTables: [(component: Int, table: Int)]? {
    isProgressive ? nil : layout.parts.map { ($0.component, $0.acTable) }
  }
}
