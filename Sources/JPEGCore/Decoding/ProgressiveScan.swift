/// One scan of a progressive image while it is read, row of MCUs by row (T.81, G.2).
@safe
struct ProgressiveScan {
  /// What a scan adds to the coefficients.
  private enum Kind {
    case firstDC(shift: Int)
    case refiningDC(bit: Int16)
    case firstAC(shift: Int)
    case refiningAC(bit: Int16)
  }

  let layout: ScanLayout
  private let kind: Kind
  private let spectrum: ClosedRange<Int>
  /// The tables of the parts; a scan that refines DC coefficients has none.
  private let tables: [DecodeTable.Lookup]
  /// Owns the tables.
  private let owner: ScanTables
  private var reader: BitReader
  private let start: UnsafePointer<UInt8>
  /// The offset of the data in the file, for errors.
  private let offset: Int
  private var predictions = [4 of Int](repeating: 0)
  /// How many more blocks the run has that has begun.
  private var run = 0
  private var untilRestart: Int
  private var fills: [FillBits] = []
  /// The number of the block that comes next.
  private var number = 0
  private var observer = EOBRunObserver()
  private var zeroRuns: [Int: Int] = [:]

  /// - Parameters:
  ///   - scan: The scan.
  ///   - layout: The order of its blocks.
  ///   - tables: Its tables.
  ///   - data: The beginning of its data, which must live as long.
  /// - Throws: ``DecodeError/unsupported(at:_:)``.
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

  /// Whether the scan has DC coefficients of padding blocks.
  var hasPadding: Bool { spectrum.lowerBound == 0 && layout.parts.count > 1 }

  /// Reads the rows of the scan that belong to a row of interleaved MCUs.
  ///
  /// - Parameters:
  ///   - row: The number of the row of interleaved MCUs.
  ///   - band: The coefficients of that row so far.
  /// - Throws: ``DecodeError/damaged(at:_:)``.
  mutating func read(_ row: Int, into band: inout CoefficientBand) throws(DecodeError) {
    let isSound: Bool
    if layout.parts.count > 1 {
      isSound = readMCUs(into: &band)
    } else {
      // Without interleaving an MCU is a block.
      let plane = band.planes[layout.parts[0].component]
      let rows = min((row + 1) * plane.rows, layout.mcus.rows) - row * plane.rows
      isSound = (0..<max(0, rows)).allSatisfy {
        readRow(plane.firstBlock + $0 * plane.columns, &band)
      }
    }
    guard isSound, !reader.isOverrun else {
      throw unsafe .damaged(
        at: offset + (reader.position - start),
        "the data is no sequence of codes"
      )
    }
  }

  /// Reads what is after the last MCU.
  ///
  /// - Returns: What is particular to the scan.
  /// - Throws: ``DecodeError/damaged(at:_:)``.
  mutating func finish() throws(DecodeError) -> ReconstructionInfo.Scan {
    guard run == 0, let tail = reader.tail(fills.count),
      tail.strayBytes.count <= ReconstructionInfo.maxStrayBytes
    else {
      throw unsafe .damaged(
        at: offset + (reader.position - start),
        "the data does not end after the last MCU"
      )
    }
    var result = ReconstructionInfo.Scan()
    result.fill = Fill(fills + [tail.fill])
    result.endsWithRestart = tail.endsWithRestart
    result.strayBytes = tail.strayBytes
    result.runs = observer.runs
    result.zeroRuns = zeroRuns
    return result
  }

  /// Goes to the next MCU; false where a restart marker is missing.
  @inline(__always)
  private mutating func nextMCU() -> Bool {
    guard layout.restartInterval > 0 else { return true }
    if untilRestart == 0 {
      guard run == 0, let fill = reader.restart(fills.count) else { return false }
      fills.append(fill)
      untilRestart = layout.restartInterval
      predictions = [4 of Int](repeating: 0)
      observer.noteRestart()
    }
    untilRestart &-= 1
    return true
  }

  /// Reads a row of interleaved MCUs of DC coefficients.
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

  /// Reads a row of blocks of the only component.
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

  /// Reads a block's band without its lowest bits (T.81, G.1.2.2).
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
        { [spectrum, table = tables[0]] block in
          Self.firstBand(spectrum, shift, table, &reader, block)
        }
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

  /// How a block's band ends.
  private struct End {
    /// The length of the run that begins with the block; 0 where the band ends with a coefficient.
    var run: Int
    /// Whether the block has no codes but that of the run.
    var isEmpty: Bool
    /// How many codes for 16 zeros come before the end.
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
      var left = 4
      // A group of coefficients, both before the band's last; a single one is there twice.
      while left > 0, position &+ group.advance < last {
        reader.skip(group.length)
        guard set(group.first, at: position &+ group.offset) else { return nil }
        position &+= group.advance
        guard set(group.second, at: position) else { return nil }
        left &-= 1
        group = reader.group(table)
      }
      if left == 0 { continue }
      // The end of a run of one block, maybe after a coefficient.
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
        // Nothing may come after the band.
        guard position < last else { return nil }
      } else {
        let run = 1 &<< zeros &+ reader.take(zeros)
        let zeroRuns = position == zerosEnd ? (position &- zerosStart) &>> 4 : 0
        return End(run: run, isEmpty: position == start, zeroRuns: zeroRuns)
      }
    }
  }

  /// Reads one more bit of a block's band (T.81, G.1.2.3).
  @inline(__always)
  private mutating func readRefiningAC(
    _ index: Int,
    _ bit: Int16,
    _ table: DecodeTable.Lookup,
    _ range: UInt64,
    _ band: inout CoefficientBand
  ) -> Bool {
    let isJoined = run > 0
    let end: (run: Int, isEmpty: Bool, corrections: Int)? = band.withBlock(index) {
      block in
      if isJoined {
        let old = block.mask & range
        return (0, true, Self.correct(old, bit, &reader, block))
      }
      return Self.refinedBand(range, bit, table, &reader, block)
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

  @inline(__always)
  private static func refinedBand(
    _ range: UInt64,
    _ bit: Int16,
    _ table: DecodeTable.Lookup,
    _ source: inout BitReader,
    _ block: borrowing CoefficientBand.Block
  ) -> (run: Int, isEmpty: Bool, corrections: Int)? {
    var reader = source
    defer { source = reader }
    let old = block.mask
    var new: UInt64 = 0
    defer { block.mask = old | new }
    // The positions that are left of the band.
    var left = range
    var isEmpty = true
    while left != 0 {
      reader.fill()
      guard let (zeros, size) = reader.symbol(table) else { return nil }
      if size == 0, zeros < 15 {
        let run = 1 &<< zeros &+ reader.take(zeros)
        let rest = old & left
        return (run, isEmpty, correct(rest, bit, &reader, block))
      }
      guard size <= 1 else { return nil }
      isEmpty = false
      let isPositive = size == 1 ? reader.take(1) == 1 : false
      // The next coefficient comes after so many that are still zero.
      var free = left & ~old
      for _ in 0..<zeros { free &= free &- 1 }
      guard free != 0 else { return nil }
      let target = free & (0 &- free)
      let passed = left & (target &- 1)
      correct(passed & old, bit, &reader, block)
      left &= ~(passed | target)
      if size == 1 {
        block[target.trailingZeroBitCount] = isPositive ? bit : 0 &- bit
        new |= target
      }
    }
    return (0, isEmpty, 0)
  }

  /// Reads a bit for each of some coefficients.
  ///
  /// - Returns: How many they are.
  @inline(__always) @discardableResult
  private static func correct(
    _ positions: UInt64,
    _ bit: Int16,
    _ reader: inout BitReader,
    _ block: borrowing CoefficientBand.Block
  ) -> Int {
    let count = positions.nonzeroBitCount
    var (positions, left) = (positions, count)
    while left > 0 {
      reader.fill()
      let number = min(left, 16)
      var bits = reader.take(number)
      left &-= number
      // The first one becomes the sign.
      bits &<<= Int.bitWidth &- number
      for _ in 0..<number {
        let position = positions.trailingZeroBitCount
        positions &= positions &- 1
        let value = block[position]
        let sign = value &>> 15
        let correction = bit & Int16(truncatingIfNeeded: bits &>> 63)
        block[position] = value &+ ((correction ^ sign) &- sign)
        bits &<<= 1
      }
    }
    return count
  }
}
