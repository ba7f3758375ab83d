extension ScanEncoder {
  /// Writes the whole scan of a sequential image, with the codes of each component of the scan.
  func encode(
    _ image: borrowing RunImage,
    _ codes: [Int: ComponentCodes],
    into writer: inout BitWriter
  ) {
    let codes = layout.parts.compactMap { codes[$0.component] }
    guard codes.count == layout.parts.count else { return }
    let (blocks, words) = (image.blocks.span, image.words.span)
    walk([:], with: SequentialCoder(), into: &writer) {
      block,
      part,
      prediction,
      _,
      writer in
      // In a transposed image, the words of neighbouring blocks are a row of the source apart.
      let soon = block &+ 4 &* part.unit.columns
      if soon < blocks.count { words.prefetch(at: blocks[soon].start) }
      blocks.prefetch(at: block &+ 64)
      let block = blocks[block]
      var register = writer.open()
      register.put(difference: Int(block.dc) &- prediction, table: part.dcTable)
      prediction = Int(block.dc)
      codes[part.number].put(block, words, into: &register)
      writer.close(register)
    }
  }

  /// Counts the symbols of the whole scan.
  func count(_ image: borrowing RunImage) -> SymbolLog {
    var log = SymbolLog(keepsSymbols: false, expectedSize: 0)
    let blocks = image.blocks.span
    walk([:], with: SequentialCoder(), into: &log) { block, part, prediction, _, log in
      var register = log.open()
      let dc = Int(blocks[block].dc)
      register.put(difference: dc &- prediction, table: part.dcTable)
      prediction = dc
      log.close(register)
    }
    for part in layout.parts {
      log.add(image.counts[part.component].frequencies, table: part.acTable)
    }
    return log
  }
}
