package import ImageOrientation

/// Codes the scans of a turned picture anew and gives the edits that put them into the original's place.
///
/// Every segment stays where it is: the frame header gets the new dimensions and sampling factors, the
/// quantization tables are transposed, each Huffman table is replaced by the best one for the scans that use
/// it, or kept if it is one of the standard's typical ones, and each scan is coded with its own script,
/// components and restart interval.
package struct ScanRewriter {
  /// Why a picture cannot be coded as its original was.
  package enum Failure: Error, Hashable, Sendable {
    /// The file contradicts the standard.
    case malformed(ContainerError)
    /// The scans of a progressive picture leave coefficients out, and a transposition would need them.
    case incompleteProgression
    /// A value occurs that the decoder's built-in tables have no code for.
    case noCode
  }

  /// Which Huffman tables are replaced.
  package enum Tables: Sendable {
    /// All but the typical ones of the standard: as the original was optimized or not.
    case asOriginal
    /// All, for the shortest result.
    case optimal
  }

  /// A scan and what is needed to code it.
  private struct Pass {
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

  private let container: Container
  private let frame: Frame
  private let turn: Turn
  private var definitions: [Definition] = []
  private var passes: [Pass] = []
  private var frameEdits: [Edit] = []

  /// Reads the tables and scan headers.
  ///
  /// - Parameters:
  ///   - container: The original's structure.
  ///   - frame: The original's frame, trimmed where that was asked for.
  ///   - turn: How the picture is turned.
  ///   - bytes: The original.
  /// - Throws: ``Failure``.
  package init(
    _ container: Container,
    frame: Frame,
    turn: Turn,
    _ bytes: Span<UInt8>
  ) throws(Failure) {
    self.container = container
    self.frame = frame
    self.turn = turn
    do throws(ContainerError) {
      try read(bytes)
    } catch {
      throw .malformed(error)
    }
    let isComplete = Self.isTransposable(headers)
    if turn.transposes, frame.process.isProgressive, !isComplete { throw .incompleteProgression }
  }

  private var headers: [ScanHeader] = []

  private mutating func read(_ bytes: Span<UInt8>) throws(ContainerError) {
    let turned = frame.turned(by: turn)
    var restartInterval = 0
    var current = [Int?](repeating: nil, count: TableIndex.count)
    for (index, segment) in container.segments.enumerated() {
      switch segment.marker {
      case let marker where marker.startsFrame:
        frameEdits += Self.edits(of: segment, to: turned, bytes)
      case .defineQuantizationTables where turn.transposes:
        frameEdits += try Self.transposition(of: segment, bytes)
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
        let header = try ScanHeader(segment, in: bytes, frame: turned)
        if !frame.process.isProgressive { try requireWhole(header, at: segment) }
        headers.append(header)
        let encoder = ScanEncoder(header: header, frame: turned, restartInterval: restartInterval)
        passes.append(Pass(encoder: encoder, data: data, definitions: current))
      default: break
      }
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

  /// The edits of the frame header.
  private static func edits(of segment: Segment, to frame: Frame, _ bytes: Span<UInt8>) -> [Edit] {
    guard let old = try? Frame(segment, in: bytes) else { return [] }
    let at = segment.payload.lowerBound
    var edits: [Edit] = []
    if (old.width, old.height) != (frame.width, frame.height) {
      edits.append(
        Edit(
          at + 1..<at + 5,
          with: UInt16(frame.height).bytes(.big) + UInt16(frame.width).bytes(.big),
          field: Edit.Field(
            "frame.dimensions",
            old: "\(old.width)×\(old.height)",
            new: "\(frame.width)×\(frame.height)"
          )
        )
      )
    }
    for (index, component) in frame.components.enumerated()
    where component != old.components[index] {
      let before = old.components[index]
      edits.append(
        Edit(
          at + 7 + 3 * index..<at + 8 + 3 * index,
          with: [UInt8(component.horizontal << 4 | component.vertical)],
          field: Edit.Field(
            "frame.sampling.\(index)",
            old: "\(before.horizontal)×\(before.vertical)",
            new: "\(component.horizontal)×\(component.vertical)"
          )
        )
      )
    }
    return edits
  }

  private static func transposition(
    of segment: Segment,
    _ bytes: Span<UInt8>
  ) throws(ContainerError) -> [Edit] {
    try QuantizationTables(segment, in: bytes).tables.compactMap { table in
      let transposed = QuantizationTables.transposed(table, in: bytes)
      guard transposed != bytes.bytes(table.elements) else { return nil }
      return Edit(
        table.elements,
        with: transposed,
        field: Edit.Field("quantization-table.\(table.slot)", new: "transposed")
      )
    }
  }

  /// Whether every coefficient reaches the same precision as the one that it is exchanged with.
  private static func isTransposable(_ headers: [ScanHeader]) -> Bool {
    var reached: [Int: [Int]] = [:]
    for header in headers {
      for component in header.components {
        for coefficient in header.spectrum {
          reached[component.index, default: [Int](repeating: 99, count: 64)][coefficient] =
            header.approximationLow
        }
      }
    }
    return reached.values.allSatisfy { precision in
      (0..<64).allSatisfy { precision[$0] == precision[Zigzag.transposed[$0]] }
    }
  }

  /// The edits that turn the picture without looking at its coefficients: the frame header and the
  /// quantization tables.
  package var headerEdits: [Edit] { frameEdits }

  /// All edits of tables and scans.
  ///
  /// - Parameters:
  ///   - image: The turned coefficients.
  ///   - tables: Which Huffman tables are replaced.
  /// - Returns: The edits, in no particular order.
  /// - Throws: ``Failure/noCode``.
  package func edits(
    _ image: borrowing CoefficientImage,
    tables: Tables = .asOriginal
  ) throws(Failure) -> [Edit] {
    let replaced = optimalTables(image, tables)
    var edits = frameEdits + tableEdits(replaced)
    for pass in passes {
      let inForce = (0..<TableIndex.count).map { index -> HuffmanTable? in
        guard let definition = pass.definitions[index] else { return Self.builtIn(index) }
        return replaced[definition] ?? definitions[definition].content.table
      }
      var writer = BitWriter(tables: inForce, expectedSize: pass.data.count + pass.data.count / 8)
      pass.encoder.encode(image, into: &writer)
      if writer.lacksCode {
        if case .optimal = tables { throw .noCode }
        return try self.edits(image, tables: .optimal)
      }
      edits.append(
        Edit(
          pass.data,
          with: writer.finish(),
          field: Edit.Field("scan.\(edits.count { $0.field.identifier.hasPrefix("scan.") })")
        )
      )
    }
    return edits
  }

  /// The new table of each definition that is replaced.
  private func optimalTables(
    _ image: borrowing CoefficientImage,
    _ tables: Tables
  ) -> [Int: HuffmanTable] {
    var frequencies: [Int: [Int]] = [:]
    for pass in passes {
      let counted = pass.encoder.tables.compactMap { index -> (Int, Int)? in
        guard let definition = pass.definitions[index] else { return nil }
        if case .asOriginal = tables, definitions[definition].content.table.isStandard {
          return nil
        }
        return (index, definition)
      }
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

extension Container {
  /// The image without application segments, comments, fill bytes and stray bytes, always with EOI: what a
  /// decoder needs, and nothing that it might warn of for no reason.
  package func decodableStream(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(end - (segments.first?.range.lowerBound ?? 0) + 2)
    for (index, segment) in segments.enumerated()
    where !segment.marker.carriesMetadata && segment.marker != .endOfImage {
      stream += bytes[segment.range]
      if segment.marker == .startOfScan, let scan = scans.first(where: { $0.segment == index }) {
        stream += bytes[scan.data]
      }
    }
    return stream + [0xFF, 0xD9]
  }
}
