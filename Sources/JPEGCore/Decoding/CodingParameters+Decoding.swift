internal import FileBytes

/// Decodes the quantized coefficients of an image and transforms them in the same pass.
extension CodingParameters {
  /// Decodes and transforms the coefficients of the image.
  ///
  /// - Returns: The coefficients, and the details of the scans that they do not determine.
  package func decode(
    _ bytes: Span<UInt8>,
    _ placement: BlockPlacement
  ) throws(DecodeError) -> (SparseImage, ReconstructionInfo) {
    let (store, info) = try decode(bytes, placement) {
      // A byte of data codes at most three coefficients, in two bytes each, and rarely as many as two.
      BlockStore(SparseForm(), count: placement.count, expectedUnits: 2 * dataSize, maxRun: $0)
    }
    return (SparseImage([store], placement.planes), info)
  }

  func decode<Form: BlockForm>(
    _ bytes: Span<UInt8>,
    _ placement: BlockPlacement,
    _ makeStore: (_ maxRun: Int) -> BlockStore<Form>
  ) throws(DecodeError) -> (BlockStore<Form>, ReconstructionInfo) {
    try checkStructure(bytes)
    if frame.process.isProgressive {
      let decoder = try ProgressiveDecoder(self)
      let store = makeStore(decoder.maxBlocksOfRow)
      return (store, try decoder.decode(bytes, placement, into: store))
    }
    var decoders: [SequentialDecoder] = []
    for scan in scans {
      let layout = ScanLayout(scan.header, frame, restartInterval: scan.restartInterval)
      let tables = ScanTables(tables(of: scan), at: scan.data.lowerBound)
      decoders.append(try SequentialDecoder(layout, tables, at: scan.data.lowerBound))
    }
    let store = makeStore(decoders.map { $0.maxBlocksOfRow }.max() ?? 0)
    var info = ReconstructionInfo(scans: scans.count)
    for (index, decoder) in decoders.enumerated() {
      info.scans[index] = try decoder.decode(
        bytes.extracting(scans[index].data),
        placement,
        into: store,
        &info.paddingBlocks
      )
    }
    return (store, info)
  }

  /// Checks that this decoder supports the structure of the file.
  private func checkStructure(_ bytes: Span<UInt8>) throws(DecodeError) {
    let start = container.segments[0].range.lowerBound
    func require(_ condition: Bool, _ message: String) throws(DecodeError) {
      if !condition { throw .unsupported(at: start, message) }
    }
    let components = frame.components
    try require(
      [.baseline, .extended, .progressive].contains(frame.process) && frame.precision == 8,
      "the coding is neither sequential nor progressive Huffman coding of eight bits"
    )
    try require(
      (1...65_500).contains(frame.width) && (1...65_500).contains(frame.height),
      "a side is not 1 to 65,500 pixels long"
    )
    // A scan of all components has them in the order of the frame, whatever their identifiers.
    try require(
      Set(components.map { $0.identifier }).count == components.count
        || scans.allSatisfy { $0.header.components.count == components.count },
      "two components have the same identifier"
    )
    try require(
      container.segments.filter { $0.marker.startsFrame }.map { $0.payload.count }
        == [6 + 3 * components.count]
        && container.segments.allSatisfy { $0.marker.isOfHuffmanImage },
      "there are segments that such an image does not have"
    )
    let coded = scans.flatMap { $0.header.components.map { $0.index } }
    try require(
      frame.process.isProgressive || coded.ordered(by: { $0 }) == Array(components.indices),
      "the scans do not code each component once"
    )
    for scan in scans {
      let parts = scan.header.components
      let blocks = parts.reduce(0) {
        $0 + components[$1.index].horizontal * components[$1.index].vertical
      }
      try require(
        container.segments[scan.segment].payload.count == 4 + 2 * parts.count
          && (parts.count == 1 || blocks <= 10)
          && zip(parts, parts.dropFirst()).allSatisfy { $0.index < $1.index },
        "a scan has more blocks or other components than an MCU may have"
      )
    }
    try require(
      hasQuantizationTables(bytes),
      "a quantization table is missing before the first scan"
    )
  }

  /// Returns whether all quantization tables are defined before the first scan.
  private func hasQuantizationTables(_ bytes: Span<UInt8>) -> Bool {
    guard let first = container.scans.first?.segment,
      !container.segments[first...].contains(where: { $0.marker == .defineQuantizationTables })
    else { return false }
    return (try? quantizationTables(bytes, zerosAllowed: true)) != nil
  }
}

extension Marker {
  /// Whether a Huffman-coded image of one frame may have a segment with this marker.
  fileprivate var isOfHuffmanImage: Bool {
    switch self {
    case .startOfScan, .defineHuffmanTables, .defineQuantizationTables, .defineRestartInterval:
      true
    default: isStandalone || startsFrame || carriesMetadata
    }
  }
}
