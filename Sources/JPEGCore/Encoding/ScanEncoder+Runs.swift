extension ScanEncoder {
  /// Writes the whole scan of a sequential image with the codes of a table.
  func encode(_ image: borrowing RunImage, _ table: CodeTable, into writer: inout BitWriter) {
    var made = [RunCodes?](repeating: nil, count: TableIndex.count)
    let codes = layout.parts.map { part in
      let codes = made[part.acTable] ?? RunCodes(table, acTable: part.acTable)
      made[part.acTable] = codes
      return codes
    }
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
      let difference = Int(block.dc) &- prediction
      prediction = Int(block.dc)
      var register = writer.open()
      register.join(difference: difference, table: part.dcTable) { joined in
        codes[part.number].put(words, block.words, into: &joined)
      }
      writer.close(register)
    }
  }

  /// Counts the symbols of the whole scan.
  func count(_ image: borrowing RunImage) -> SymbolLog {
    var log = SymbolLog(keepsSymbols: false, expectedSize: 0)
    let blocks = image.blocks.span
    walk([:], with: SequentialCoder(), into: &log) { block, part, prediction, _, log in
      let dc = Int(blocks[block].dc)
      log.count(difference: dc &- prediction, table: part.dcTable)
      prediction = dc
    }
    for part in layout.parts {
      log.add(image.counts[part.component].frequencies, table: part.acTable)
    }
    return log
  }
}
