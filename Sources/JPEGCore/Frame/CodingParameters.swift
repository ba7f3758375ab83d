internal import FileBytes

/// The coding parameters of an image: scan headers, Huffman tables, restart intervals, and the ranges of the scans'
/// data.
///
/// They are used to decode the image and to code the transformed image with the same scans: a progressive image stays
/// progressive, and restart intervals stay the same.
package struct CodingParameters: Sendable {
  /// A scan and the parameters in force for it.
  package struct Scan: Sendable {
    package let header: ScanHeader
    /// The index of its SOS segment in the container.
    let segment: Int
    /// The entropy-coded data.
    package let data: Range<Int>
    /// MCUs between restart markers; 0 for none.
    let restartInterval: Int
    /// For each ``TableIndex`` the definition in force, as an index into ``CodingParameters/definitions``; nil if
    /// there is none.
    let definitions: [Int?]
  }

  struct Definition: Sendable {
    /// The index of its DHT segment in the container.
    var segment: Int
    var content: HuffmanTables.Definition
  }

  package let container: Container
  /// The frame of the image as it is stored.
  package let frame: Frame
  package private(set) var scans: [Scan] = []
  private(set) var definitions: [Definition] = []

  /// Reads the coding parameters of a file.
  package init(
    _ container: Container,
    _ frame: Frame,
    _ bytes: Span<UInt8>
  ) throws(ContainerError) {
    self.container = container
    self.frame = frame
    var restartInterval = 0
    var current = [Int?](repeating: nil, count: TableIndex.count)
    var data = container.scans[...]
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
          throw .malformed(at: segment.range.lowerBound, "DRI: the segment is not four bytes long")
        }
        restartInterval = Int(interval)
      case .startOfScan:
        guard let scan = data.popFirst(), scan.segment == index else { continue }
        let header = try ScanHeader(segment, in: bytes, frame: frame)
        // DC coefficients, or a band of AC coefficients of one component (T.81, G.1.1.1).
        guard
          !frame.process.isProgressive || header.spectrum == 0...0
            || header.spectrum.lowerBound > 0 && header.components.count == 1
        else {
          throw .malformed(
            at: segment.range.lowerBound,
            "SOS: a progressive scan selects coefficients that cannot go together"
          )
        }
        scans.append(
          Scan(
            header: header,
            segment: index,
            data: scan.data,
            restartInterval: restartInterval,
            definitions: current
          )
        )
      default: break
      }
    }
  }

  /// Returns the quantization table of each component; see ``QuantizationTables/tables(of:in:_:zerosAllowed:)``.
  package func quantizationTables(
    _ bytes: Span<UInt8>,
    zerosAllowed: Bool = false
  ) throws(ContainerError) -> [[UInt16]] {
    try QuantizationTables.tables(of: frame, in: container, bytes, zerosAllowed: zerosAllowed)
  }

  /// The size of all entropy-coded data in bytes.
  package var dataSize: Int { scans.reduce(0) { $0 + $1.data.count } }

  /// Returns the tables in force for a scan, by ``TableIndex``; nil for an undefined one.
  ///
  /// `replaced` are tables that replace definitions, by the definitions' indices.
  func tables(of scan: Scan, _ replaced: [Int: HuffmanTable] = [:]) -> [HuffmanTable?] {
    (0..<TableIndex.count).map { index in
      guard let definition = scan.definitions[index] else {
        return frame.process.isProgressive ? nil : HuffmanTable.builtIn(index)
      }
      return replaced[definition] ?? definitions[definition].content.table
    }
  }
}

extension CodingParameters {
  /// For the components that scans code, the Al that each coefficient finally reaches; a large number if it is not coded.
  private var precision: [[Int]] {
    let none = [Int](repeating: .max, count: 64)
    var reached = [[Int]](repeating: none, count: frame.components.count)
    for header in scans.map({ $0.header }) {
      for component in header.components {
        for coefficient in header.spectrum {
          reached[component.index][coefficient] = header.approximationLow
        }
      }
    }
    return reached.filter { $0 != none }
  }

  /// Whether a transposed image can be coded without loss: every coefficient reaches the precision of the one that it
  /// is swapped with.
  package var isTransposable: Bool {
    !frame.process.isProgressive
      || precision.allSatisfy { precision in
        (0..<64).allSatisfy { precision[$0] == precision[Zigzag.transposed[$0]] }
      }
  }

  /// Whether every coefficient can be coded without loss.
  package var isComplete: Bool {
    !frame.process.isProgressive || precision.allSatisfy { $0.allSatisfy { $0 == 0 } }
  }

  /// The first component that no scan codes, or nil.
  ///
  /// Decoders invent a level for it.
  package var missingComponent: Int? {
    frame.components.indices.first { component in
      !scans.contains { scan in
        scan.header.spectrum.lowerBound == 0
          && scan.header.components.contains { $0.index == component }
      }
    }
  }

  /// Whether no scan codes bits that another scan has coded; the scans together are then no larger than the image
  /// allows.
  package var isWithoutRepetition: Bool {
    // For each component and place of a bit, of which there are at most 16, the coefficients that scans have coded.
    var coded = [UInt64](repeating: 0, count: frame.components.count * 16)
    return scans.allSatisfy { scan in
      let band = bandMask(scan.header.spectrum)
      return scan.header.components.allSatisfy { component in
        let place = component.index * 16 + scan.header.approximationLow
        let before = coded[place]
        coded[place] = before | band
        return before & band == 0
      }
    }
  }
}

extension HuffmanTable {
  /// Returns the default table of a ``TableIndex`` that no DHT segment defines, as in frames of MJPEG video.
  ///
  /// There are none for progressive images, which video does not use; libjpeg refuses these.
  fileprivate static func builtIn(_ index: Int) -> HuffmanTable? {
    switch index {
    case TableIndex.dc(0): .standard(.dc, chrominance: false)
    case TableIndex.dc(1): .standard(.dc, chrominance: true)
    case TableIndex.ac(0): .standard(.ac, chrominance: false)
    case TableIndex.ac(1): .standard(.ac, chrominance: true)
    default: nil
    }
  }
}
