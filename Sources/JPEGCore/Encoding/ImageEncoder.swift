package import FileBytes

/// Codes the scans of an image with the coding parameters of its original.
///
/// Huffman tables are replaced by optimal ones, or kept if they are the example tables of T.81, annex K.
package struct ImageEncoder {
  /// Why an image cannot be coded.
  package enum Failure: Error, Hashable, Sendable {
    /// A symbol occurs for which its table has no code.
    case noCode
    /// A limit of the work was reached.
    case stopped(WorkLimit)
  }

  /// Which Huffman tables are replaced by optimal ones.
  package enum Tables: Sendable {
    /// All except the example tables of T.81, annex K, which encoders use that do not optimize.
    case asOriginal
    /// All, for the shortest result.
    case optimal
    /// None: the file contains the correct ones.
    case given
  }

  let parameters: CodingParameters
  let frame: Frame
  let encoders: [ScanEncoder]
  /// The expected size of each scan's data in bytes.
  private let sizes: [Int]

  /// Creates the encoder of a frame with the same components as the original's.
  ///
  /// Without the expected sizes of the scans' data, those of the original are used.
  package init(_ parameters: CodingParameters, frame: Frame, sizes: [Int]? = nil) {
    let own = parameters.scans.map { $0.data.count }
    self.parameters = parameters
    self.frame = frame
    self.sizes = sizes.flatMap { $0.count == own.count ? $0 : nil } ?? own
    encoders = parameters.scans.map {
      ScanEncoder(header: $0.header, frame: frame, restartInterval: $0.restartInterval)
    }
  }

  /// Returns the codes of each component's AC coefficients, if they are known without the image.
  ///
  /// - Returns: The codes, by component; nil if tables depend on the image, or if a block is coded in several scans.
  package func codes(_ tables: Tables = .asOriginal) -> [ComponentCodes]? {
    guard parameters.scans.indices.allSatisfy({ definitions(replacedIn: $0, tables).isEmpty })
    else { return nil }
    var codes = [ComponentCodes?](repeating: nil, count: frame.components.count)
    for (scan, encoder) in zip(parameters.scans, encoders) {
      guard let acTables = encoder.acTables else { return nil }
      let tables = parameters.tables(of: scan)
      let table = CodeTable(tables)
      var made = [ComponentCodes?](repeating: nil, count: TableIndex.count)
      for (component, acTable) in acTables {
        let own = made[acTable] ?? ComponentCodes(tables[acTable], table, acTable: acTable)
        made[acTable] = own
        guard codes[component] == nil else { return nil }
        codes[component] = own
      }
    }
    let known = codes.compactMap { $0 }
    return known.count == codes.count ? known : nil
  }

  /// Codes an image.
  ///
  /// Without `info`, the scans follow libjpeg's conventions.
  package func edits(
    _ image: borrowing SparseImage,
    tables: Tables = .asOriginal,
    _ info: ReconstructionInfo? = nil
  ) throws(Failure) -> [Edit] {
    let info = info ?? ReconstructionInfo(scans: encoders.count)
    var (edits, replaced) = ([Edit](), [Int: HuffmanTable]())
    var count = SymbolCount(encoders.indices.map { definitions(replacedIn: $0, tables) })
    var recorded: [Int: RecordedSymbols] = [:]
    for latest in encoders.indices {
      recorded[latest] = record(latest, image, info, &count)
      // Scans are written as soon as their tables are complete, mostly one at a time.
      guard let made = count.tables(through: latest) else { continue }
      for (definition, table) in made { replaced[definition] = table }
      for number in edits.count...latest {
        var writer = writer(number, info, replaced)
        if let symbols = recorded.removeValue(forKey: number) {
          writer.put(symbols)
        } else {
          encode(number, image, info, into: &writer)
        }
        do throws(Failure) {
          edits.append(try edit(number, writer, info))
        } catch {
          guard case (.noCode, .asOriginal) = (error, tables) else { throw error }
          return try self.edits(image, tables: .optimal, info)
        }
      }
    }
    return tableEdits(replaced) + edits
  }

  private func encode<Sink: EntropySink & ~Copyable>(
    _ number: Int,
    _ image: borrowing SparseImage,
    _ info: ReconstructionInfo,
    into sink: inout Sink
  ) {
    encoders[number].encode(image, info.scans[number], padding: info.paddingBlocks, into: &sink)
  }

  /// Counts the symbols of a scan that replaced tables code.
  ///
  /// - Returns: The symbols of a scan of a progressive image; recording those of all coefficients costs as much as coding
  ///   them again.
  private func record(
    _ number: Int,
    _ image: borrowing SparseImage,
    _ info: ReconstructionInfo,
    _ count: inout SymbolCount
  ) -> RecordedSymbols? {
    guard !count.definitions[number].isEmpty else { return nil }
    let isProgressive = frame.process.isProgressive
    var log = SymbolLog(keepsSymbols: isProgressive, expectedSize: sizes[number])
    encode(number, image, info, into: &log)
    count.add(number) { log.frequencies($0) }
    return isProgressive ? log.finish() : nil
  }

  /// Codes an image whose AC coefficients were coded with ``codes(_:)``.
  package func edits(
    _ image: borrowing CodedImage,
    _ info: ReconstructionInfo? = nil
  ) throws(Failure) -> [Edit] {
    if image.lacksCode { throw .noCode }
    let info = info ?? ReconstructionInfo(scans: encoders.count)
    var edits: [Edit] = []
    for (number, encoder) in encoders.enumerated() {
      var writer = writer(number, info)
      encoder.encode(image, padding: info.paddingBlocks, into: &writer)
      edits.append(try edit(number, writer, info))
    }
    return edits
  }

  private func writer(
    _ number: Int,
    _ info: ReconstructionInfo,
    _ replaced: [Int: HuffmanTable] = [:]
  ) -> BitWriter {
    writer(number, info, CodeTable(parameters.tables(of: parameters.scans[number], replaced)))
  }

  func writer(_ number: Int, _ info: ReconstructionInfo, _ codes: CodeTable) -> BitWriter {
    BitWriter(
      codes: codes,
      expectedSize: sizes[number] + sizes[number] / 8,
      fill: info.scans[number].fill,
      intervalBytes: info.scans[number].intervalBytes
    )
  }

  func edit(
    _ number: Int,
    _ writer: consuming BitWriter,
    _ info: ReconstructionInfo
  ) throws(Failure) -> Edit {
    if let limit = WorkLimit.reached { throw .stopped(limit) }
    if writer.lacksCode { throw .noCode }
    let info = info.scans[number]
    return Edit(
      parameters.scans[number].data,
      with: writer.finish(withRestart: info.endsWithRestart, strayBytes: info.strayBytes),
      field: Edit.Field("scan.\(number)"),
      content: .entropyCodedData
    )
  }

  /// Returns the replaced definitions that a scan uses, by ``TableIndex``.
  func definitions(
    replacedIn number: Int,
    _ tables: Tables
  ) -> [(index: Int, definition: Int)] {
    if case .given = tables { return [] }
    return encoders[number].tables.compactMap { index in
      guard let definition = parameters.scans[number].definitions[index] else { return nil }
      if case .asOriginal = tables, parameters.definitions[definition].content.table.isStandard {
        return nil
      }
      return (index, definition)
    }
  }

  func tableEdits(_ replaced: [Int: HuffmanTable]) -> [Edit] {
    let definitions = parameters.definitions
    return Set(replaced.keys.map { definitions[$0].segment }).ordered { $0 }.compactMap { index in
      let segment = parameters.container.segments[index]
      var content: [UInt8] = []
      var names: [String] = []
      for (number, definition) in definitions.enumerated() where definition.segment == index {
        let (tableClass, slot) = (definition.content.tableClass, definition.content.slot)
        content.append(tableClass.rawValue << 4 | UInt8(slot))
        content += (replaced[number] ?? definition.content.table).serialized
        names.append((tableClass == .dc ? "dc" : "ac") + "\(slot)")
      }
      return Edit(
        segment.range.lowerBound + 2..<segment.range.upperBound,
        with: UInt16(content.count + 2).bytes(.big) + content,
        field: Edit.Field("huffman-tables." + names.joined(separator: "-"), new: "optimized")
      )
    }
  }
}

/// The frequencies of the symbols of tables that are replaced.
struct SymbolCount {
  /// For each scan the tables that it uses, by ``TableIndex``, and their definitions.
  let definitions: [[(index: Int, definition: Int)]]
  private var frequencies: [Int: [Int]] = [:]

  init(_ definitions: [[(index: Int, definition: Int)]]) { self.definitions = definitions }

  /// Adds the frequencies in a scan, by ``TableIndex``.
  mutating func add(_ scan: Int, _ counted: (_ index: Int) -> [Int]) {
    for (index, definition) in definitions[scan] {
      let sum = frequencies[definition] ?? [Int](repeating: 0, count: 256)
      frequencies[definition] = zip(sum, counted(index)).map { $0 + $1 }
    }
  }

  /// Removes the tables that are complete with a scan, and makes optimal ones; nil if a later scan uses one of them.
  mutating func tables(through scan: Int) -> [Int: HuffmanTable]? {
    let later = definitions[(scan + 1)...].joined().contains { frequencies[$0.definition] != nil }
    if later { return nil }
    defer { frequencies = [:] }
    return frequencies.filter { $0.value.contains { $0 > 0 } }
      .mapValues { HuffmanTable(optimalFor: $0) }
  }
}
