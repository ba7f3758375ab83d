extension ImageEncoder {
  /// Codes a sequential image whose runs were counted.
  ///
  /// The tables are those of the original or the example tables, as in ``Tables/asOriginal``; but optimal ones if a
  /// coefficient had no code or if the image would become longer by more than `room` bytes.
  package func edits(
    _ image: borrowing RunImage,
    room: Int? = nil
  ) throws(Failure) -> [Edit] {
    var logs: [[Int: [Int]]] = []
    for encoder in encoders {
      let log = encoder.count(image)
      logs.append(
        Dictionary(uniqueKeysWithValues: encoder.tables.map { ($0, log.frequencies($0)) })
      )
    }
    let own = optimal(.asOriginal, logs)
    let all = optimal(.optimal, logs)
    if own.count < all.count, let least = leastShift(own, logs), least <= room ?? .max {
      let edits = try edits(image, own)
      guard let room, edits.totalShift > room else { return edits }
    }
    return try edits(image, all)
  }

  private func optimal(_ tables: Tables, _ logs: [[Int: [Int]]]) -> [Int: HuffmanTable] {
    var count = SymbolCount(encoders.indices.map { definitions(replacedIn: $0, tables) })
    for (number, log) in logs.enumerated() { count.add(number) { log[$0] ?? [] } }
    return count.tables(through: encoders.count - 1) ?? [:]
  }

  /// Returns by how many bytes the result is longer than the original, without stuffed bytes; nil if a symbol has no
  /// code.
  private func leastShift(_ replaced: [Int: HuffmanTable], _ logs: [[Int: [Int]]]) -> Int? {
    var shift = tableEdits(replaced).totalShift
    for (scan, log) in zip(parameters.scans, logs) {
      let tables = parameters.tables(of: scan, replaced)
      var bits = 0
      for (index, frequencies) in log {
        guard let codes = tables[index]?.codes else { return nil }
        for (symbol, count) in frequencies.enumerated() where count > 0 {
          guard codes[symbol].length > 0 else { return nil }
          // The lower half of a symbol is the number of additional bits; that of ZRL and EOB is 0.
          bits += count * (Int(codes[symbol].length) + symbol & 15)
        }
      }
      shift += bits.dividedUp(by: 8) - scan.data.count
    }
    return shift
  }

  private func edits(
    _ image: borrowing RunImage,
    _ replaced: [Int: HuffmanTable]
  ) throws(Failure) -> [Edit] {
    var edits = tableEdits(replaced)
    let info = ReconstructionInfo(scans: encoders.count)
    for (number, encoder) in encoders.enumerated() {
      let tables = parameters.tables(of: parameters.scans[number], replaced)
      let table = CodeTable(tables)
      var writer = writer(number, info, table)
      encoder.encode(image, codes(of: encoder, tables, table) ?? [:], into: &writer)
      edits.append(try edit(number, writer, info))
    }
    return edits
  }
}
