package import FileBytes

extension ImageEncoder {
  /// Whether the image can be coded as a ``RunImage``.
  package var codesWholeBlocks: Bool { !frame.process.isProgressive }

  /// Codes a sequential image whose runs were counted.
  ///
  /// The tables are optimal ones also if a coefficient had no code or if the image would become longer by more than
  /// `room` bytes.
  package func edits(
    _ image: borrowing RunImage,
    tables: Tables = .asOriginal,
    room: Int? = nil
  ) throws(Failure) -> [Edit] {
    var counts: [[Int: [Int]]] = []
    for encoder in encoders {
      let log = encoder.count(image)
      counts.append(
        Dictionary(uniqueKeysWithValues: encoder.tables.map { ($0, log.frequencies($0)) })
      )
    }
    let all = optimal(.optimal, counts)
    let own = optimal(tables, counts)
    if own.count < all.count, let least = leastShift(own, counts), least <= room ?? least,
      // What is left is for stuffed bytes, which are known only when they are written.
      let edits = try edits(image, own, maxStuffed: room.map { $0 - least } ?? .max),
      edits.totalShift <= room ?? .max
    {
      return edits
    }
    return try edits(image, all, maxStuffed: .max) ?? []
  }

  private func optimal(_ tables: Tables, _ counts: [[Int: [Int]]]) -> [Int: HuffmanTable] {
    var sum = SymbolCount(encoders.indices.map { definitions(replacedIn: $0, tables) })
    for (number, count) in counts.enumerated() { sum.add(number) { count[$0] ?? [] } }
    return sum.tables(through: encoders.count - 1) ?? [:]
  }

  /// Returns by how many bytes the result is longer than the original, without stuffed bytes; nil if a symbol has no
  /// code.
  private func leastShift(_ replaced: [Int: HuffmanTable], _ counts: [[Int: [Int]]]) -> Int? {
    var shift = tableEdits(replaced).totalShift
    for (scan, count) in zip(parameters.scans, counts) {
      let tables = parameters.tables(of: scan, replaced)
      var bits = 0
      for (index, frequencies) in count {
        guard let codes = tables[index]?.codes else { return nil }
        for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
          guard codes[symbol].length > 0 else { return nil }
          // The lower half of a symbol is the number of additional bits; that of ZRL and EOB is 0.
          bits += frequency * (Int(codes[symbol].length) + symbol & 15)
        }
      }
      shift += bits.dividedUp(by: 8) - scan.data.count
    }
    return shift
  }

  /// Codes the scans; nil if more bytes are stuffed than `maxStuffed`.
  private func edits(
    _ image: borrowing RunImage,
    _ replaced: [Int: HuffmanTable],
    maxStuffed: Int
  ) throws(Failure) -> [Edit]? {
    var edits = tableEdits(replaced)
    var left = maxStuffed
    let info = ReconstructionInfo(scans: encoders.count)
    for (number, encoder) in encoders.enumerated() {
      let table = CodeTable(parameters.tables(of: parameters.scans[number], replaced))
      var writer = writer(number, info, table)
      writer.maxStuffed = left
      encoder.encode(image, table, into: &writer)
      if writer.isFull { return nil }
      left -= writer.stuffed
      edits.append(try edit(number, writer, info))
    }
    return edits
  }
}
