/// How the scans of a picture are coded: their headers, Huffman tables and restart intervals, and where their
/// data stands.
///
/// The script of an original is used to code a turned picture with the same scans, so that progressive stays
/// progressive, and restart markers stay where they are. Huffman tables are replaced by the best ones, or kept
/// if they are the standard's typical ones.
package struct ScanScript {
  /// Why a picture cannot be coded by the script of its original.
  package enum Failure: Error, Hashable, Sendable {
    /// The file contradicts the standard.
    case malformed(ContainerError)
    /// The scans leave out coefficients that the new picture needs.
    case incompleteProgression
    /// A value occurs that the tables have no code for.
    case noCode
  }

  /// Which Huffman tables are replaced.
  package enum Tables: Sendable {
    /// All but the typical ones of the standard: as the original was optimized or not.
    case asOriginal
    /// All, for the shortest result.
    case optimal
    /// None: the file has the right ones.
    case given
  }

  /// A scan and what is needed to code it.
  struct Pass {
    var encoder: ScanEncoder
    var data: Range<Int>
    /// For each ``TableIndex`` the definition in force, as an index into `definitions`; nil when the
    /// scan uses the decoder's built-in table.
    var definitions: [Int?]
  }

  private struct Definition {
    var segment: Int
    var content: HuffmanTables.Definition
  }

  let container: Container
  let frame: Frame
  private var definitions: [Definition] = []
  private(set) var passes: [Pass] = []
  private var headers: [ScanHeader] = []

  /// Reads the script of a file.
  ///
  /// - Parameters:
  ///   - container: The file's structure.
  ///   - frame: The frame that will be coded, which may be a turned one.
  ///   - bytes: The file.
  /// - Throws: ``Failure/malformed(_:)``.
  package init(
    _ container: Container,
    frame: Frame,
    _ bytes: Span<UInt8>
  ) throws(Failure) {
    self.container = container
    self.frame = frame
    do throws(ContainerError) {
      try read(bytes)
    } catch {
      throw .malformed(error)
    }
  }

  private mutating func read(_ bytes: Span<UInt8>) throws(ContainerError) {
    var restartInterval = 0
    var current = [Int?](repeating: nil, count: TableIndex.count)
    for (index, segment) in container.segments.enumerated() {
      switch segment.marker {
      case .defineHuffmanTables:
        for content in try HuffmanTables(segment, in: bytes).definitions {
          let slot = content.slot
          current[content.tableClass == .dc ? TableIndex.dc(slot) : TableIndex.ac(slot)] =
            definitions.count
          definitions.append(Definition(segment: index, content: content))
        }
      case .defineRestartInterval:
        guard let interval = bytes.uint16(at: segment.payload.lowerBound),
          segment.payload.count == 2
        else {
          throw ContainerError(
            .malformed,
            at: segment.range.lowerBound,
            "DRI: the segment is not four bytes long"
          )
        }
        restartInterval = Int(interval)
      case .startOfScan:
        guard let data = container.scans.first(where: { $0.segment == index })?.data else {
          continue
        }
        let header = try ScanHeader(segment, in: bytes, frame: frame)
        if isProgressive {
          try requireBand(header, at: segment)
        } else {
          try requireWhole(header, at: segment)
        }
        headers.append(header)
        let encoder = ScanEncoder(header: header, frame: frame, restartInterval: restartInterval)
        passes.append(Pass(encoder: encoder, data: data, definitions: current))
      default: break
      }
    }
  }

  private var isProgressive: Bool { frame.process.isProgressive }

  /// A progressive scan has either the DC coefficients or a band of AC coefficients of one component.
  private func requireBand(
    _ header: ScanHeader,
    at segment: Segment
  ) throws(ContainerError) {
    let isDC = header.spectrum == 0...0
    guard isDC || header.spectrum.lowerBound > 0 && header.components.count == 1 else {
      throw ContainerError(
        .malformed,
        at: segment.range.lowerBound,
        "SOS: a progressive scan selects coefficients that cannot go together"
      )
    }
  }

  private func requireWhole(
    _ header: ScanHeader,
    at segment: Segment
  ) throws(ContainerError) {
    guard header.spectrum == 0...63, header.approximationHigh == 0, header.approximationLow == 0
    else {
      throw ContainerError(
        .malformed,
        at: segment.range.lowerBound,
        "SOS: a scan of a sequential picture selects only part of the coefficients"
      )
    }
  }

  /// For each component that a scan has, the lowest bit that is coded of each coefficient; a large number
  /// where it is never coded.
  private var precision: [Int: [Int]] {
    var reached: [Int: [Int]] = [:]
    for header in headers {
      for component in header.components {
        for coefficient in header.spectrum {
          reached[component.index, default: [Int](repeating: .max, count: 64)][coefficient] =
            header.approximationLow
        }
      }
    }
    return reached
  }

  /// Whether a transposed picture can be coded without loss: every coefficient reaches the precision of the
  /// one that it is exchanged with.
  package var isTransposable: Bool {
    !isProgressive
      || precision.values.allSatisfy { precision in
        (0..<64).allSatisfy { precision[$0] == precision[Zigzag.transposed[$0]] }
      }
  }

  /// Whether no scan codes what another has coded, so that all of them together are no larger than the
  /// picture allows.
  package var isWithoutRepetition: Bool {
    struct Bit: Hashable {
      var component: Int
      var coefficient: Int
      var place: Int
    }
    var coded: Set<Bit> = []
    return headers.allSatisfy { header in
      header.components.allSatisfy { component in
        header.spectrum.allSatisfy { coefficient in
          coded.insert(
            Bit(
              component: component.index,
              coefficient: coefficient,
              place: header.approximationLow
            )
          ).inserted
        }
      }
    }
  }

  /// Whether any picture can be coded without loss.
  package var isComplete: Bool {
    !isProgressive || precision.values.allSatisfy { $0.allSatisfy { $0 == 0 } }
  }

  /// The codes of each component's AC coefficients, where they do not depend on the picture, and each block is
  /// coded once, as a whole.
  ///
  /// - Parameter tables: Which Huffman tables are replaced.
  /// - Returns: The codes, by component; nil where a picture must be known to code it.
  package func codes(_ tables: Tables = .asOriginal) -> [ComponentCodes]? {
    guard passes.allSatisfy({ definitions(replacedIn: $0, tables).isEmpty }) else { return nil }
    var codes: [Int: ComponentCodes] = [:]
    for pass in passes {
      guard let acTables = pass.encoder.acTables else { return nil }
      let table = CodeTable(self.tables(of: pass))
      var made: [Int: ComponentCodes] = [:]
      for (component, acTable) in acTables {
        let own = made[acTable] ?? ComponentCodes(table, acTable: acTable)
        made[acTable] = own
        guard codes.updateValue(own, forKey: component) == nil else { return nil }
      }
    }
    let sorted = frame.components.indices.compactMap { codes[$0] }
    return sorted.count == frame.components.count ? sorted : nil
  }

  /// Codes a picture.
  ///
  /// - Parameters:
  ///   - image: The coefficients of the frame that the script was read for.
  ///   - tables: Which Huffman tables are replaced.
  ///   - conventions: What encoders do differently.
  /// - Returns: The edits of Huffman tables and entropy-coded data.
  /// - Throws: ``Failure/noCode``.
  package func edits(
    _ image: borrowing SparseImage,
    tables: Tables = .asOriginal,
    conventions: CodingConventions = CodingConventions()
  ) throws(Failure) -> [Edit] {
    let replaced = optimalTables(image, tables)
    var edits = tableEdits(replaced)
    for (number, pass) in passes.enumerated() {
      var writer = writer(of: pass, conventions, replaced)
      pass.encoder.encode(image, padding: conventions.padding, into: &writer)
      if writer.lacksCode {
        guard case .asOriginal = tables else { throw .noCode }
        return try self.edits(image, tables: .optimal, conventions: conventions)
      }
      edits.append(scan(number, writer.finish()))
    }
    return edits
  }

  /// Codes a picture whose AC coefficients were coded with ``codes(_:)``.
  ///
  /// - Parameters:
  ///   - image: The blocks of the frame that the script was read for.
  ///   - conventions: What encoders do differently.
  /// - Returns: The edits of entropy-coded data.
  /// - Throws: ``Failure/noCode``.
  package func edits(
    _ image: borrowing CodedImage,
    conventions: CodingConventions = CodingConventions()
  ) throws(Failure) -> [Edit] {
    if image.lacksCode { throw .noCode }
    var edits: [Edit] = []
    for (number, pass) in passes.enumerated() {
      var writer = writer(of: pass, conventions)
      pass.encoder.encode(image, padding: conventions.padding, into: &writer)
      if writer.lacksCode { throw .noCode }
      edits.append(scan(number, writer.finish()))
    }
    return edits
  }

  private func writer(
    of pass: Pass,
    _ conventions: CodingConventions,
    _ replaced: [Int: HuffmanTable] = [:]
  ) -> BitWriter {
    BitWriter(
      codes: CodeTable(tables(of: pass, replaced)),
      expectedSize: pass.data.count + pass.data.count / 8,
      padsWithOnes: conventions.padsWithOnes
    )
  }

  /// The tables in force at a scan.
  func tables(of pass: Pass, _ replaced: [Int: HuffmanTable] = [:]) -> [HuffmanTable?] {
    (0..<TableIndex.count).map { index in
      guard let definition = pass.definitions[index] else { return Self.builtIn(index) }
      return replaced[definition] ?? definitions[definition].content.table
    }
  }

  private func scan(_ number: Int, _ data: [UInt8]) -> Edit {
    Edit(
      passes[number].data,
      with: data,
      field: Edit.Field("scan.\(number)"),
      content: .entropyCodedData
    )
  }

  /// The definitions that are replaced and that a scan uses, by ``TableIndex``.
  private func definitions(
    replacedIn pass: Pass,
    _ tables: Tables
  ) -> [(index: Int, definition: Int)] {
    if case .given = tables { return [] }
    return pass.encoder.tables.compactMap { index in
      guard let definition = pass.definitions[index] else { return nil }
      if case .asOriginal = tables, definitions[definition].content.table.isStandard {
        return nil
      }
      return (index, definition)
    }
  }

  /// The new table of each definition that is replaced.
  private func optimalTables(
    _ image: borrowing SparseImage,
    _ tables: Tables
  ) -> [Int: HuffmanTable] {
    var frequencies: [Int: [Int]] = [:]
    for pass in passes {
      let counted = definitions(replacedIn: pass, tables)
      guard !counted.isEmpty else { continue }
      var statistics = SymbolStatistics()
      pass.encoder.encode(image, into: &statistics)
      for (index, definition) in counted {
        let sum = frequencies[definition] ?? [Int](repeating: 0, count: 256)
        frequencies[definition] = zip(sum, statistics.table(index)).map { $0 + $1 }
      }
    }
    return frequencies.filter { $0.value.contains { $0 > 0 } }
      .mapValues { HuffmanTable(optimalFor: $0) }
  }

  private func tableEdits(_ replaced: [Int: HuffmanTable]) -> [Edit] {
    Set(replaced.keys.map { definitions[$0].segment }).sorted().compactMap { index in
      let segment = container.segments[index]
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

  /// The table that decoders assume for a slot that no DHT defines, as in frames of MJPEG films.
  private static func builtIn(_ index: Int) -> HuffmanTable? {
    switch index {
    case TableIndex.dc(0): .standard(.dc, chrominance: false)
    case TableIndex.dc(1): .standard(.dc, chrominance: true)
    case TableIndex.ac(0): .standard(.ac, chrominance: false)
    case TableIndex.ac(1): .standard(.ac, chrominance: true)
    default: nil
    }
  }
}
