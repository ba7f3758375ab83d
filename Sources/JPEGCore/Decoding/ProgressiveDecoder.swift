/// Decodes a progressive image (T.81, G.2) with memory for one row of MCUs, by reading all scans in parallel.
///
/// ```text
///             scan 1   scan 2   scan 3  …
///   MCU row 0    1        2        3      → blocks complete, stored
///   MCU row 1    4        5        6      → blocks complete, stored
/// ```
///
/// The entropy-coded data of a scan can be decoded without the other scans; a refinement scan depends only on the
/// coefficients of the same block so far. Each scan therefore keeps its own reader and advances row by row, and no
/// array of all coefficients is needed.
struct ProgressiveDecoder {
  private let parameters: CodingParameters

  /// - Throws: ``DecodeError/unsupported(at:_:)`` if successive approximation does not continue from scan to scan.
  init(_ parameters: CodingParameters) throws(DecodeError) {
    self.parameters = parameters
    // For each coefficient the Al that was reached (T.81, G.1.1.1.1 and G.1.1.1.2).
    var reached = [[Int?]](
      repeating: [Int?](repeating: nil, count: 64),
      count: parameters.frame.components.count
    )
    for scan in parameters.scans {
      let header = scan.header
      for component in header.components.map({ $0.index }) {
        let isDCMissing = header.spectrum.lowerBound > 0 && reached[component][0] == nil
        let continues = header.spectrum.allSatisfy {
          guard let low = reached[component][$0] else { return header.approximationHigh == 0 }
          return header.approximationHigh == low && header.approximationLow == low - 1
        }
        guard !isDCMissing, continues else {
          throw .unsupported(
            at: scan.data.lowerBound,
            "the progressive scans are out of order"
          )
        }
        for position in header.spectrum { reached[component][position] = header.approximationLow }
      }
    }
    guard reached.allSatisfy({ $0[0] != nil }) else {
      throw .unsupported(at: parameters.container.end, "a component has no DC coefficients")
    }
  }

  /// The maximum number of blocks in a row of MCUs.
  var maxBlocksOfRow: Int { CoefficientBand(parameters.frame).blockCount }

  /// Decodes the image, and returns the details of the scans that the coefficients do not determine.
  func decode<Form: BlockForm>(
    _ bytes: Span<UInt8>,
    _ placement: BlockPlacement,
    into store: BlockStore<Form>
  ) throws(DecodeError) -> ReconstructionInfo {
    let result: Result<ReconstructionInfo, DecodeError> = unsafe bytes.withUnsafeBufferPointer {
      file in
      do throws(DecodeError) {
        guard let start = file.baseAddress else { throw .damaged(at: 0, "there is no data") }
        var scans: [ProgressiveScan] = []
        for scan in parameters.scans {
          let layout = ScanLayout(
            scan.header,
            parameters.frame,
            restartInterval: scan.restartInterval
          )
          let tables = ScanTables(parameters.tables(of: scan), at: scan.data.lowerBound)
          let data = unsafe start + scan.data.lowerBound
          scans.append(unsafe try ProgressiveScan(scan, layout, tables, data))
        }
        return .success(try decode(&scans, placement, into: store))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func decode<Form: BlockForm>(
    _ scans: inout [ProgressiveScan],
    _ placement: BlockPlacement,
    into store: BlockStore<Form>
  ) throws(DecodeError) -> ReconstructionInfo {
    let frame = parameters.frame
    var band = CoefficientBand(frame)
    var transform = CoefficientTransform(placement.transform)
    var padding: PaddingBlocks = [:]
    let rowHeight = frame.interleavedMCU.height
    let paddingCheck = PaddingCheck(parameters, scans.map { $0.layout })
    for row in 0..<frame.height.dividedUp(by: rowHeight) {
      if let limit = WorkLimit.reached { throw .stopped(limit) }
      for index in scans.indices { try scans[index].read(row, into: &band) }
      _ = store.takeRun { run in
        for (component, plane) in band.planes.enumerated() {
          for line in 0..<plane.rows {
            let target = placement.row(component, row: row * plane.rows + line, from: 0, by: 1)
            let first = plane.firstBlock + line * plane.columns
            for column in target.requested {
              run.put(
                band.transformed(first + column, &transform),
                component: component,
                at: target.place(column)
              )
            }
          }
        }
        return true
      }
      guard !store.isOutOfRange else {
        throw .damaged(at: parameters.scans[0].data.lowerBound, "a coefficient is out of range")
      }
      paddingCheck.collect(row, band, &padding)
      band.clear()
    }
    var info = ReconstructionInfo(scans: scans.count)
    for index in scans.indices { info.scans[index] = try scans[index].finish() }
    info.paddingBlocks = padding
    return info
  }
}

/// Finds the padding blocks of interleaved DC scans that do not repeat the DC coefficient of the block before them.
private struct PaddingCheck {
  /// The layout of the first interleaved scan of each component, and the component's part in it.
  private let layouts: [(layout: ScanLayout, part: Int)]
  /// For each component the bits of a DC coefficient that interleaved scans code, and that padding blocks therefore
  /// have.
  private let masks: [Int16]
  private let frame: Frame

  init(_ parameters: CodingParameters, _ layouts: [ScanLayout]) {
    frame = parameters.frame
    var found: [(layout: ScanLayout, part: Int)] = []
    var masks: [Int16] = []
    for component in parameters.frame.components.indices {
      let scans = zip(parameters.scans, layouts).filter { scan, layout in
        scan.header.spectrum.lowerBound == 0 && layout.parts.count > 1
          && layout.parts.contains { $0.component == component }
      }
      guard let first = scans.first?.1,
        let part = first.parts.firstIndex(where: { $0.component == component })
      else { continue }
      found.append((first, part))
      // A first scan codes all bits from Al up, a refinement scan bit Al.
      masks.append(
        scans.reduce(0) { mask, scan in
          let header = scan.0.header
          return mask | (header.approximationHigh == 0 ? -1 : 1) << Int16(header.approximationLow)
        }
      )
    }
    self.layouts = found
    self.masks = masks
  }

  /// Collects the padding blocks of a row of MCUs.
  func collect(_ row: Int, _ band: borrowing CoefficientBand, _ padding: inout PaddingBlocks) {
    for ((layout, number), mask) in zip(layouts, masks) {
      let part = layout.parts[number]
      let plane = band.planes[part.component]
      for line in 0..<part.unit.rows {
        let isBelow = row * part.unit.rows + line >= part.plane.rows
        for column in (isBelow ? 0 : part.plane.columns)..<plane.columns {
          let isFirst = column % part.unit.columns == 0
          // The preceding block within the MCU; the first block of an MCU is never a padding block.
          let before =
            isFirst
            ? (line - 1) * plane.columns + column + part.unit.columns - 1
            : line * plane.columns + column - 1
          let coefficients = band.block(plane.firstBlock + line * plane.columns + column)
          let dc = coefficients[0] & mask
          guard dc != band.block(plane.firstBlock + before)[0] & mask else { continue }
          let place = PaddingBlock(
            component: part.component,
            column: column,
            row: row * part.unit.rows + line
          )
          padding[place] = [dc] + [Int16](repeating: 0, count: 63)
        }
      }
    }
  }
}
