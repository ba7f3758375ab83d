/// One scan of a progressive image, decoded one row of MCUs at a time (T.81, G.2).
///
/// The four kinds of scans differ in what they add to a coefficient:
///
/// ```text
///                first scan (Ah = 0)              refinement (Ah = Al + 1)
///   DC (Ss = 0)  difference, shifted left by Al   one bit, at position Al
///   AC (Ss > 0)  run and value, shifted by Al     correction bits of nonzero coefficients; run and
///                EOBn for up to 32,767 blocks     sign of new ones, ±2^Al; EOBn
/// ```
///
/// First AC scans use the groups of ``DecodeTable`` as ``SequentialDecoder`` does, within the band Ss to Se; EOB0
/// there has the code of EOB.
@safe
struct ProgressiveScan {
  /// What a scan adds to the coefficients; `bit` is 1 << Al.
  private enum Kind {
    case firstDC(shift: Int)
    case refiningDC(bit: Int16)
    case firstAC(shift: Int)
    case refiningAC(bit: Int16)
  }

  let layout: ScanLayout
  private let kind: Kind
  private let spectrum: ClosedRange<Int>
  /// The tables of the parts; none for refinement scans of DC coefficients.
  private let tables: [DecodeTable.Lookup]
  /// Owns the tables.
  private let owner: ScanTables
  private let setBits = SetBits.shared
  private var reader: BitReader
  private let start: UnsafePointer<UInt8>
  /// The offset of the data in the file, for errors.
  private let offset: Int
  private var predictions = [4 of Int](repeating: 0)
  /// The number of remaining blocks of the current EOB run.
  private var run = 0
  private var untilRestart: Int
  private var intervals = ReconstructionInfo.Intervals()
  private var isAtRestart = false
  /// The number of the next block in the scan.
  private var number = 0
  private var observer = EOBRunObserver()
  private var zeroRuns: [Int: Int] = [:]

  /// The data, from its first byte, must outlive the scan.
  @unsafe
  init(
    _ scan: CodingParameters.Scan,
    _ layout: ScanLayout,
    _ tables: ScanTables,
    _ data: UnsafePointer<UInt8>
  ) throws(DecodeError) {
    self.layout = layout
    offset = scan.data.lowerBound
    unsafe start = data
    reader = unsafe BitReader(data, count: scan.data.count)
    untilRestart = layout.restartInterval
    spectrum = scan.header.spectrum
    let low = scan.header.approximationLow
    var own: [DecodeTable.Lookup] = []
    owner = tables
    switch (spectrum.lowerBound == 0, scan.header.approximationHigh == 0) {
    case (true, true):
      kind = .firstDC(shift: low)
      for part in layout.parts { own.append(try tables.differences(part.dcTable)) }
    case (true, false): kind = .refiningDC(bit: 1 << Int16(low))
    case (false, true):
      kind = .firstAC(shift: low)
      own.append(try tables.coefficients(layout.parts[0].acTable))
    case (false, false):
      kind = .refiningAC(bit: 1 << Int16(low))
      own.append(try tables.coefficients(layout.parts[0].acTable))
    }
    self.tables = own
  }

  /// Decodes the rows of the scan that belong to a row of interleaved MCUs.
  mutating func read(_ row: Int, into band: inout CoefficientBand) throws(DecodeError) {
    let isSound: Bool
    if layout.parts.count > 1 {
      isSound = readMCUs(into: &band)
    } else {
      // In a scan of one component an MCU is one block.
      let plane = band.planes[layout.parts[0].component]
      let rows = min((row + 1) * plane.rows, layout.mcus.rows) - row * plane.rows
      isSound = (0..<max(0, rows)).allSatisfy {
        readRow(plane.firstBlock + $0 * plane.columns, &band)
      }
    }
    guard isSound, !reader.isOverrun else {
      throw damage
    }
  }

  /// Reads what follows the last MCU, and returns the details of the scan that the coefficients do not determine.
  mutating func finish() throws(DecodeError) -> ReconstructionInfo.Scan {
    // An EOB run may be longer than what is left of the interval; decoders ignore the rest of it.
    guard let tail = reader.tail(intervals.count) else { throw damage }
    var result = intervals.scan(endingWith: tail)
    result.runs = observer.runs
    result.zeroRuns = zeroRuns
    return result
  }

  private var damage: DecodeError {
    unsafe .damaged(
      at: offset + (reader.position - start),
      reader.complaint(atRestart: isAtRestart)
    )
  }

  /// Advances to the next MCU; returns false if a restart marker is missing.
  @inline(__always)
  private mutating func nextMCU() -> Bool {
    guard layout.restartInterval > 0 else { return true }
    if untilRestart == 0 {
      guard let tail = reader.restart(intervals.count) else {
        isAtRestart = true
        return false
      }
      intervals.append(tail)
      run = 0
      untilRestart = layout.restartInterval
      predictions = [4 of Int](repeating: 0)
      observer.noteRestart()
    }
    untilRestart &-= 1
    return true
  }

  /// Decodes a row of interleaved MCUs of DC coefficients.
  private mutating func readMCUs(into band: inout CoefficientBand) -> Bool {
    for column in 0..<layout.mcus.columns {
      guard nextMCU() else { return false }
      for place in layout.places {
        let part = layout.parts[place.part]
        let plane = band.planes[part.component]
        let block =
          plane.firstBlock + place.row * plane.columns + column * part.unit.columns + place.column
        guard readDC(block, place.part, &band) else { return false }
      }
    }
    return true
  }

  /// Decodes a row of blocks of a scan of one component.
  private mutating func readRow(_ first: Int, _ band: inout CoefficientBand) -> Bool {
    let blocks = first..<first + layout.mcus.columns
    switch kind {
    case .firstDC, .refiningDC:
      for block in blocks { guard nextMCU(), readDC(block, 0, &band) else { return false } }
    case .firstAC(let shift):
      let table = tables[0]
      for block in blocks {
        guard nextMCU(), readFirstAC(block, shift, table, &band) else { return false }
        number &+= 1
      }
    case .refiningAC(let bit):
      let (table, range) = (tables[0], bandMask(spectrum))
      for block in blocks {
        guard nextMCU(), readRefiningAC(block, bit, table, range, &band) else { return false }
        number &+= 1
      }
    }
    return true
  }

  @inline(__always)
  private mutating func readDC(
    _ index: Int,
    _ part: Int,
    _ band: inout CoefficientBand
  ) -> Bool {
    reader.fill()
    if case .refiningDC(let bit) = kind {
      if reader.take(1) == 1 { band.withBlock(index) { $0[0] |= bit } }
      return true
    }
    guard case .firstDC(let shift) = kind, let difference = reader.difference(tables[part]) else {
      return false
    }
    predictions[part] &+= difference
    let value = predictions[part] &<< shift
    guard abs(value) < TransformedBlock.tooLarge else { return false }
    band.withBlock(index) { $0[0] = Int16(truncatingIfNeeded: value) }
    return true
  }

  /// Decodes a block's band in a first scan (T.81, G.1.2.2).
  @inline(__always)
  private mutating func readFirstAC(
    _ index: Int,
    _ shift: Int,
    _ table: DecodeTable.Lookup,
    _ band: inout CoefficientBand
  ) -> Bool {
    if run > 0 {
      run &-= 1
      observer.noteEmpty(number, joins: true, correctionBits: 0)
      return true
    }
    guard
      let end = band.withBlock(
        index,
        { [spectrum] block in Self.firstBand(spectrum, shift, table, &reader, block) }
      )
    else { return false }
    if end.zeroRuns > 0 { zeroRuns[number] = end.zeroRuns }
    if end.run == 0 {
      observer.noteFull()
    } else {
      run = end.run &- 1
      if end.isEmpty {
        observer.noteEmpty(number, joins: false, correctionBits: 0)
      } else {
        observer.noteCoefficients(correctionBits: 0)
      }
    }
    return true
  }

  /// How the band of a block ends.
  private struct End {
    /// EOBRUN, the length of the run that begins with the block; 0 if the band ends with a coefficient.
    var run: Int
    /// Whether the block has no codes except the EOB.
    var isEmpty: Bool
    /// The number of ZRL codes before the EOB.
    var zeroRuns = 0
  }

  @inline(__always)
  private static func firstBand(
    _ spectrum: ClosedRange<Int>,
    _ shift: Int,
    _ table: DecodeTable.Lookup,
    _ source: inout BitReader,
    _ block: borrowing CoefficientBand.Block
  ) -> End? {
    var reader = source
    defer { source = reader }
    let last = spectrum.upperBound
    var position = spectrum.lowerBound &- 1
    let start = position
    var (zerosEnd, zerosStart) = (-1, 0)
    var mask: UInt64 = 0
    defer { block.mask |= mask }
    @inline(__always)
    func set(_ coded: Int16, at position: Int) -> Bool {
      let value = Int(coded &- coded &>> 15) &<< shift
      block[position] = Int16(truncatingIfNeeded: value)
      mask |= 1 &<< UInt64(truncatingIfNeeded: position)
      return abs(value) < TransformedBlock.tooLarge
    }
    while true {
      reader.fill()
      var group = reader.group(table)
      var left = DecodeTable.groups()
      // A group of coefficients that ends before the last position of the band. A single coefficient is set twice.
      while left > 0, position &+ group.advance < last {
        let value = reader.value(after: group.before, shift: group.shift)
        reader.skip(group.length)
        guard set(group.first, at: position &+ group.offset) else { return nil }
        position &+= group.advance
        guard set(value, at: position) else { return nil }
        left &-= 1
        group = reader.group(table)
      }
      if left == 0 { continue }
      // EOB0, maybe after a coefficient.
      let next = position &+ group.offset
      if group.length > 0, group.advance == DecodeTable.Group.end,
        next & (DecodeTable.Group.beyond &- 1) < last
      {
        reader.skip(group.length)
        if group.offset == DecodeTable.Group.beyond {
          let zeroRuns = position == zerosEnd ? (position &- zerosStart) &>> 4 : 0
          return End(run: 1, isEmpty: position == start, zeroRuns: zeroRuns)
        }
        return set(group.first, at: next) ? End(run: 1, isEmpty: false) : nil
      }
      reader.fill()
      guard let (zeros, size) = reader.symbol(table) else { return nil }
      reader.fill()
      if size > 0 {
        position &+= zeros &+ 1
        guard position <= last, set(reader.value(category: size), at: position) else { return nil }
        if position == last { return End(run: 0, isEmpty: false) }
      } else if zeros == 15 {
        if position != zerosEnd { zerosStart = position }
        position &+= 16
        zerosEnd = position
        // After ZRL at least one position of the band must be left.
        guard position < last else { return nil }
      } else {
        let run = 1 &<< zeros &+ Int(truncatingIfNeeded: reader.take(zeros))
        let zeroRuns = position == zerosEnd ? (position &- zerosStart) &>> 4 : 0
        return End(run: run, isEmpty: position == start, zeroRuns: zeroRuns)
      }
    }
  }

  /// Decodes one more bit of a block's band (T.81, G.1.2.3).
  @inline(__always)
  private mutating func readRefiningAC(
    _ index: Int,
    _ bit: Int16,
    _ table: DecodeTable.Lookup,
    _ range: UInt64,
    _ band: inout CoefficientBand
  ) -> Bool {
    let isJoined = run > 0
    let end = band.withBlock(index) { [spectrum, setBits] block in
      Self.refinedBand(spectrum, range, bit, isJoined ? nil : table, setBits, &reader, block)
    }
    guard let end else { return false }
    if isJoined {
      run &-= 1
      observer.noteEmpty(number, joins: true, correctionBits: end.corrections)
    } else if end.run == 0 {
      observer.noteFull()
    } else {
      run = end.run &- 1
      if end.isEmpty {
        observer.noteEmpty(number, joins: false, correctionBits: end.corrections)
      } else {
        observer.noteCoefficients(correctionBits: end.corrections)
      }
    }
    return true
  }
}
