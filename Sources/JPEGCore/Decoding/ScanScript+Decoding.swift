package import ImageOrientation

/// Reading the picture that a script belongs to, where that is a sequential one without anything out of the
/// ordinary: most photographs are.
extension ScanScript {
  /// Reads and turns the coefficients of the picture.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - placement: Which blocks are wanted, and where they go.
  ///   - turn: How to turn the picture.
  /// - Returns: The coefficients, turned; nil where a decoder must be asked that reads more, or says what is
  ///   wrong.
  package func coefficients(
    _ bytes: Span<UInt8>,
    _ placement: BlockPlacement,
    turn: Turn
  ) -> SparseImage? {
    let planes = placement.planes
    return decoded(bytes, placement) {
      SparseImage.store(planes: planes, turn: turn, size: size, longestRun: $0)
    }.map { SparseImage($0, planes) }
  }

  /// Reads and turns the coefficients of the picture, and codes them at once.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - placement: Which blocks are wanted, and where they go.
  ///   - turn: How to turn the picture.
  ///   - codes: The codes of each component.
  /// - Returns: The coded coefficients, turned; nil where a decoder must be asked that reads more, or says what
  ///   is wrong.
  package func coefficients(
    _ bytes: Span<UInt8>,
    _ placement: BlockPlacement,
    turn: Turn,
    codes: [ComponentCodes]
  ) -> CodedImage? {
    let planes = placement.planes
    return decoded(bytes, placement) {
      CodedImage.store(codes, planes: planes, turn: turn, size: size, longestRun: $0)
    }.map { CodedImage($0, planes) }
  }

  /// Reads all scans.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - placement: Which blocks are wanted, and where they go.
  ///   - makeStore: Makes the store, for so many blocks at once.
  /// - Returns: The store with the blocks; nil where the picture is not read.
  private func decoded<Form: BlockForm>(
    _ bytes: Span<UInt8>,
    _ placement: BlockPlacement,
    _ makeStore: (_ longestRun: Int) -> BlockStore<Form>
  ) -> BlockStore<Form>? {
    guard let decoders = decoders(bytes) else { return nil }
    let store = makeStore(decoders.map(\.blocksOfRow).max() ?? 0)
    for (decoder, pass) in zip(decoders, passes) {
      guard decoder.decode(bytes.extracting(pass.data), placement, into: store) else { return nil }
    }
    return store
  }

  /// The decoder of each scan; nil where there is something out of the ordinary.
  private func decoders(_ bytes: Span<UInt8>) -> [SequentialDecoder]? {
    let components = frame.components
    guard [.baseline, .extended].contains(frame.process), frame.precision == 8,
      (1...65_500).contains(frame.width), (1...65_500).contains(frame.height),
      Set(components.map(\.identifier)).count == components.count,
      // Each component is coded once.
      passes.flatMap(\.encoder.layout.parts).map(\.component).sorted() == Array(components.indices),
      container.segments.allSatisfy(\.marker.isOfSequentialPicture),
      container.segments.filter(\.marker.startsFrame).map(\.payload.count)
        == [6 + 3 * components.count],
      hasSoundScans, hasQuantizationTables(bytes)
    else { return nil }
    var decoders: [SequentialDecoder] = []
    for pass in passes {
      guard let decoder = SequentialDecoder(pass.encoder.layout, tables(of: pass)) else {
        return nil
      }
      decoders.append(decoder)
    }
    return decoders
  }

  /// Whether the headers of the scans are as long as they should be, and no MCU is too large (T.81, B.2.3).
  private var hasSoundScans: Bool {
    zip(container.scans, passes).allSatisfy { scan, pass in
      let layout = pass.encoder.layout
      return container.segments[scan.segment].payload.count == 4 + 2 * layout.parts.count
        && layout.places.count <= 10
    }
  }

  /// Whether there are all quantization tables, and before the first scan.
  private func hasQuantizationTables(_ bytes: Span<UInt8>) -> Bool {
    guard let first = container.scans.first?.segment,
      !container.segments[first...].contains(where: { $0.marker == .defineQuantizationTables })
    else { return false }
    let tables = try? QuantizationTables.tables(
      of: frame,
      in: container,
      bytes,
      zerosAllowed: true
    )
    return tables != nil
  }

  /// The size of all entropy-coded data in bytes.
  private var size: Int { passes.reduce(0) { $0 + $1.data.count } }
}

extension Marker {
  /// Whether a sequential, Huffman-coded picture may have such a segment.
  fileprivate var isOfSequentialPicture: Bool {
    switch self {
    case .startOfImage, .endOfImage, .startOfScan, .defineHuffmanTables,
      .defineQuantizationTables, .defineRestartInterval:
      true
    default: startsFrame || carriesMetadata
    }
  }
}
