/// Huffman-codes one scan of a picture, with the conventions of libjpeg where the standard leaves a choice.
///
/// The same code counts the symbols and writes them, so that a table made from the counts always fits.
/// Source: T.81, F.1.2 (sequential), G.1.2 (progressive).
package struct ScanEncoder {
  /// The geometry that an encoder needs of one component.
  private struct Part {
    /// The index of the component in the frame.
    var component: Int
    var plane: CoefficientImage.Plane
    /// Blocks of the component in one MCU: columns × rows.
    var unit: (columns: Int, rows: Int)
    var dcTable: Int
    var acTable: Int
  }

  private let header: ScanHeader
  private let isProgressive: Bool
  private let restartInterval: Int
  private let parts: [Part]
  private let mcus: (columns: Int, rows: Int)

  /// - Parameters:
  ///   - header: The scan's header.
  ///   - frame: The frame that the coefficients belong to.
  ///   - restartInterval: MCUs between restart markers; 0 for none.
  package init(header: ScanHeader, frame: Frame, restartInterval: Int) {
    self.header = header
    self.restartInterval = restartInterval
    isProgressive = frame.process.isProgressive
    let planes = CoefficientImage.planes(of: frame)
    let isInterleaved = header.components.count > 1
    parts = header.components.map { component in
      let sampling = frame.components[component.index]
      return Part(
        component: component.index,
        plane: planes[component.index],
        unit: isInterleaved ? (sampling.horizontal, sampling.vertical) : (1, 1),
        dcTable: TableIndex.dc(component.dcTable),
        acTable: TableIndex.ac(component.acTable)
      )
    }
    mcus =
      isInterleaved
      ? (
        frame.width.dividedUp(by: 8 * frame.maxHorizontal),
        frame.height.dividedUp(by: 8 * frame.maxVertical)
      )
      : (parts[0].plane.columns, parts[0].plane.rows)
  }

  /// The tables that the scan uses, by ``TableIndex``.
  package var tables: Set<Int> {
    var result: Set<Int> = []
    for part in parts {
      // DC refinement writes bare bits.
      if header.spectrum.lowerBound == 0, header.approximationHigh == 0 || !isProgressive {
        result.insert(part.dcTable)
      }
      if header.spectrum.upperBound > 0 { result.insert(part.acTable) }
    }
    return result
  }

  /// Codes the whole scan.
  ///
  /// - Parameters:
  ///   - image: The coefficients of the frame.
  ///   - padding: The blocks beyond the edges that do not follow the rule.
  ///   - sink: Where the symbols go.
  package func encode<Sink: EntropySink & ~Copyable>(
    _ image: borrowing SparseImage,
    padding: PaddingBlocks = [:],
    into sink: inout Sink
  ) {
    switch (isProgressive, header.spectrum.lowerBound == 0, header.approximationHigh == 0) {
    case (false, _, _): encode(image, padding, with: SequentialCoder(), into: &sink)
    case (true, true, true):
      encode(image, padding, with: FirstDCCoder(shift: header.approximationLow), into: &sink)
    case (true, true, false):
      encode(image, padding, with: RefiningDCCoder(shift: header.approximationLow), into: &sink)
    case (true, false, true):
      encode(
        image,
        padding,
        with: FirstACCoder(spectrum: header.spectrum, shift: header.approximationLow),
        into: &sink
      )
    case (true, false, false):
      encode(
        image,
        padding,
        with: RefiningACCoder(spectrum: header.spectrum, shift: header.approximationLow),
        into: &sink
      )
    }
  }

  /// Walks the MCUs, padding blocks included, and restarts where an interval ends.
  @inline(__always)
  private func encode<Coder: BlockCoder, Sink: EntropySink & ~Copyable>(
    _ image: borrowing SparseImage,
    _ padding: PaddingBlocks,
    with coder: Coder,
    into sink: inout Sink
  ) {
    var coder = coder
    let (blocks, values) = (image.blocks.span, image.values.span)
    var predictions = [4 of Int](repeating: 0)
    var (untilRestart, restarts) = (restartInterval, 0)
    for mcuRow in 0..<mcus.rows {
      if WorkLimit.reached != nil { break }
      for mcuColumn in 0..<mcus.columns {
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
        for index in parts.indices {
          let part = parts[index]
          for y in 0..<part.unit.rows {
            for x in 0..<part.unit.columns {
              let column = mcuColumn &* part.unit.columns &+ x
              let row = mcuRow &* part.unit.rows &+ y
              if column < part.plane.columns, row < part.plane.rows {
                let block = part.plane.firstBlock &+ row &* part.plane.columns &+ column
                // In a transposed picture values lie a row of the source apart.
                let soon = block &+ 2 &* part.unit.columns
                if soon < blocks.count { values.prefetch(at: blocks[soon].start) }
                coder.code(
                  blocks[block],
                  values,
                  prediction: &predictions[index],
                  dcTable: part.dcTable,
                  acTable: part.acTable,
                  into: &sink
                )
              } else if !padding.isEmpty,
                let block = padding[
                  PaddingBlock(component: part.component, column: column, row: row)
                ]
              {
                var values: [Int8] = []
                let mask = CoefficientImage.mask(block)
                coder.code(
                  SparseImage.append(block.span, 0, mask, to: &values),
                  values.span,
                  prediction: &predictions[index],
                  dcTable: part.dcTable,
                  acTable: part.acTable,
                  into: &sink
                )
              } else {
                coder.codePadding(
                  prediction: predictions[index],
                  dcTable: part.dcTable,
                  acTable: part.acTable,
                  into: &sink
                )
              }
            }
          }
        }
      }
    }
    coder.finish(&sink)
  }
}
