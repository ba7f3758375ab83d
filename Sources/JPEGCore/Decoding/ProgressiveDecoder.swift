/// Reads a progressive image (T.81, G.2) without keeping its coefficients: all scans at once, each as far as the
/// same row of MCUs.
///
/// A scan's data depends on no other scan, and what it adds to a block only on that block. So the scans need not
/// be read one after the other, which takes an array of all coefficients; a row of MCUs is enough, and its blocks
/// are complete when the last scan has been there.
struct ProgressiveDecoder {
  private let parameters: CodingParameters

  /// - Parameter parameters: How the image is coded.
  /// - Throws: ``DecodeError/unsupported(at:_:)`` if a scan does not continue where those before it stopped.
  init(_ parameters: CodingParameters) throws(DecodeError) {
    self.parameters = parameters
    // The bit that is reached of each coefficient (T.81, G.1.1.1.1 and G.1.1.1.2).
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
            "a scan does not continue where those before it stopped"
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

  /// Reads the image.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - placement: The requested blocks and their places.
  ///   - store: Takes the blocks.
  /// - Returns: What is particular to the scans.
  /// - Throws: ``DecodeError``.
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
    var padding: PaddingBlocks = [:]
    let rowHeight = frame.interleavedMCU.height
    let paddingCheck = PaddingCheck(parameters, scans.map { $0.layout })
    for row in 0..<frame.height.dividedUp(by: rowHeight) {
      if let limit = WorkLimit.reached { throw .stopped(limit) }
      for index in scans.indices { try scans[index].read(row, into: &band) }
      _ = store.takeRun { run, transform in
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

/// Finds the padding blocks of interleaved DC scans that do not repeat the block before them.
private struct PaddingCheck {
  /// The layout of the first interleaved scan of each component, with the component's part in it.
  private let layouts: [(layout: ScanLayout, part: Int)]
  /// For each of them the bits of a DC coefficient that its interleaved scans have, and so padding blocks.
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
      // The first scan has all bits down to its lowest, the others have one each.
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

  /// Collects those of a row of MCUs.
  func collect(_ row: Int, _ band: borrowing CoefficientBand, _ padding: inout PaddingBlocks) {
    for ((layout, number), mask) in zip(layouts, masks) {
      let part = layout.parts[number]
      let plane = band.planes[part.component]
      for line in 0..<part.unit.rows {
        let isBelow = row * part.unit.rows + line >= part.plane.rows
        for column in (isBelow ? 0 : part.plane.columns)..<plane.columns {
          let isFirst = column % part.unit.columns == 0
          // Within the MCU; its first block is never a padding block.
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
