package import FileBytes

/// The compact form of the reconstruction info, as undo records contain it.
extension ReconstructionInfo {
  /// Whether everything is as libjpeg writes it.
  package var isDefault: Bool {
    paddingBlocks.isEmpty && scans.allSatisfy { $0 == Scan() }
  }

  /// The lowest version of the undo record that can contain the info.
  package var version: Int {
    scans.allSatisfy { $0.intervalBytes.isEmpty && $0.strayBytes.count <= Self.maxStrayBytes }
      ? 1 : 2
  }

  /// The maximum number of bytes after the last MCU of a scan in an undo record of version 1.
  fileprivate static let maxStrayBytes = 8

  /// Appends the info.
  package func write(to writer: inout CompactWriter) {
    writer.write(scans.count)
    for scan in scans { scan.write(to: &writer) }
    writer.write(paddingBlocks.count)
    for (place, block) in paddingBlocks.sorted(by: { $0.key < $1.key }) {
      writer.write(place.component)
      writer.write(place.row)
      writer.write(place.column)
      writer.write(signed: Int(block[0]))
      let positions = (1..<64).filter { block[$0] != 0 }
      writer.write(positions.count)
      for position in positions {
        writer.write(position)
        writer.write(signed: Int(block[position]))
      }
    }
  }

  /// Reads the info from an undo record of a version.
  package init(
    from reader: inout CompactReader,
    version: Int
  ) throws(CompactReader.Failure) {
    self.init(scans: 0)
    for _ in 0..<(try reader.number(in: 0...1_000)) {
      scans.append(try Scan(from: &reader, version))
    }
    for _ in 0..<(try reader.number(in: 0...1 << 20)) {
      let component = try reader.number(in: 0...3)
      let row = try reader.number(in: 0...0xFFFF)
      let column = try reader.number(in: 0...0xFFFF)
      let place = PaddingBlock(component: component, column: column, row: row)
      var block = [Int16](repeating: 0, count: 64)
      block[0] = try reader.coefficient()
      for _ in 0..<(try reader.number(in: 0...63)) {
        let position = try reader.number(in: 1...63)
        block[position] = try reader.coefficient()
      }
      paddingBlocks[place] = block
    }
  }
}

extension ReconstructionInfo.Scan {
  /// Flags of the properties that are not at their default.
  private struct Parts: OptionSet {
    let rawValue: Int
    static let zeros = Parts(rawValue: 1)
    static let fill = Parts(rawValue: 2)
    static let restart = Parts(rawValue: 4)
    static let runs = Parts(rawValue: 8)
    static let zeroRuns = Parts(rawValue: 16)
    static let strayBytes = Parts(rawValue: 32)
    static let intervalBytes = Parts(rawValue: 64)
  }

  fileprivate func write(to writer: inout CompactWriter) {
    var parts: Parts = []
    if !fill.isOnes { parts.insert(.zeros) }
    if !fill.exceptions.isEmpty { parts.insert(.fill) }
    if endsWithRestart { parts.insert(.restart) }
    if runs != EOBRuns() { parts.insert(.runs) }
    if !zeroRuns.isEmpty { parts.insert(.zeroRuns) }
    if !strayBytes.isEmpty { parts.insert(.strayBytes) }
    if !intervalBytes.isEmpty { parts.insert(.intervalBytes) }
    writer.write(parts.rawValue)
    if parts.contains(.fill) {
      writer.write(ascending: fill.exceptions.keys.ordered { $0 }) { writer, interval in
        writer.write(Int(fill.exceptions[interval]?.code ?? 1))
      }
    }
    if parts.contains(.runs) {
      writer.write(runs.rule.rawValue)
      writer.write(ascending: runs.exceptions.ordered { $0 }) { _, _ in }
    }
    if parts.contains(.zeroRuns) {
      writer.write(ascending: zeroRuns.keys.ordered { $0 }) { writer, block in
        writer.write(zeroRuns[block] ?? 0)
      }
    }
    if parts.contains(.strayBytes) { writer.write(strayBytes) }
    if parts.contains(.intervalBytes) {
      writer.write(ascending: intervalBytes.keys.ordered { $0 }) { writer, interval in
        writer.write(intervalBytes[interval] ?? [])
      }
    }
  }

  fileprivate init(
    from reader: inout CompactReader,
    _ version: Int
  ) throws(CompactReader.Failure) {
    self.init()
    let parts = Parts(rawValue: try reader.number(in: 0...(version == 1 ? 63 : 127)))
    fill.isOnes = !parts.contains(.zeros)
    endsWithRestart = parts.contains(.restart)
    if parts.contains(.fill) {
      try reader.ascending { reader, interval throws(CompactReader.Failure) in
        let code = UInt8(truncatingIfNeeded: try reader.number(in: 1...255))
        fill.exceptions[interval] = FillBits(code: code)
      }
    }
    if parts.contains(.runs) {
      runs.rule = EOBRuns.Rule(rawValue: try reader.number(in: 0...2)) ?? .maximal
      try reader.ascending { _, block throws(CompactReader.Failure) in
        runs.exceptions.insert(block)
      }
    }
    if parts.contains(.zeroRuns) {
      try reader.ascending { reader, block throws(CompactReader.Failure) in
        zeroRuns[block] = try reader.number(in: 1...3)
      }
    }
    if parts.contains(.strayBytes) {
      strayBytes = try reader.content()
      guard version > 1 || strayBytes.count <= ReconstructionInfo.maxStrayBytes else {
        throw CompactReader.Failure(offset: 0)
      }
    }
    if parts.contains(.intervalBytes) {
      try reader.ascending { reader, interval throws(CompactReader.Failure) in
        intervalBytes[interval] = try reader.content()
      }
    }
  }
}

extension PaddingBlock: Comparable {
  /// By component, row and column.
  package static func < (a: Self, b: Self) -> Bool {
    (a.component, a.row, a.column) < (b.component, b.row, b.column)
  }
}

extension CompactWriter {
  /// Appends a signed number in zigzag form: small magnitudes become small numbers.
  fileprivate mutating func write(signed number: Int) { write(number << 1 ^ number >> 63) }

  /// Appends ascending numbers as differences, each followed by the output of `each`.
  fileprivate mutating func write(
    ascending numbers: [Int],
    _ each: (inout CompactWriter, Int) -> Void
  ) {
    write(numbers.count)
    var last = 0
    for number in numbers {
      write(number - last)
      last = number
      each(&self, number)
    }
  }
}

extension CompactReader {
  fileprivate mutating func coefficient() throws(Failure) -> Int16 {
    let coded = try number(in: 0...0xFFFF)
    return Int16(truncatingIfNeeded: coded >> 1 ^ -(coded & 1))
  }

  /// Reads what ``CompactWriter/write(ascending:_:)`` wrote.
  fileprivate mutating func ascending(
    _ each: (inout CompactReader, Int) throws(Failure) -> Void
  ) throws(Failure) {
    var last = 0
    for index in 0..<(try number(in: 0...1 << 20)) {
      // No entry is repeated.
      last += try number(in: (index == 0 ? 0 : 1)...1 << min(32, Int.bitWidth - 2))
      try each(&self, last)
    }
  }
}
