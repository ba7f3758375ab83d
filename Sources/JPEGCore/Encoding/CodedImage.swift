internal import ImageOrientation

/// The blocks of an image with their AC coefficients as Huffman codes.
///
/// If the tables are known before the coefficients, each block is coded as soon as it is decoded, while it is in the
/// processor's cache; writing a scan then only joins the bit strings. They take about as much memory as the
/// entropy-coded data.
package struct CodedImage {
  /// One block: its DC coefficient, and the position of its codes.
  ///
  /// ```text
  ///   63              27   26           16   15             0
  ///   index of word 1    | number of bits  | DC coefficient
  /// ```
  package struct Block: StoredBlock {
    /// The index of the first word × 2²⁷, the number of bits × 2¹⁶, and the DC coefficient.
    private let content: UInt64

    static let zero = Block(start: 0, bits: 0, dc: 0)

    @inline(__always)
    init(start: Int, bits: Int, dc: Int16) {
      content =
        UInt64(truncatingIfNeeded: start) &<< 27 | UInt64(truncatingIfNeeded: bits) &<< 16
        | UInt64(UInt16(bitPattern: dc))
    }

    /// The index of the first word.
    @inline(__always)
    var start: Int { Int(truncatingIfNeeded: content &>> 27) }
    /// The number of bits; the remaining bits of the last word are undefined.
    @inline(__always)
    var bits: Int { Int(truncatingIfNeeded: content &>> 16 & 0x7FF) }
    @inline(__always)
    var dc: Int16 { Int16(truncatingIfNeeded: content) }

    @inline(__always)
    func moved(by distance: Int) -> Block {
      Block(start: start &+ distance, bits: bits, dc: dc)
    }
  }

  /// The components' places in ``blocks``.
  package let planes: [CoefficientImage.Plane]
  let blocks: [Block]
  /// The codes of all blocks.
  ///
  /// Each block begins with a new word; words are big-endian.
  let words: [UInt32]
  /// Whether a coefficient occurs for which its table has no code.
  let lacksCode: Bool

  init(_ stores: [BlockStore<CodedForm>], _ planes: [CoefficientImage.Plane]) {
    self.planes = planes
    lacksCode = stores.contains { $0.form.lacksCode }
    // Words are read in pairs, also after the last one.
    (blocks, words) = BlockStore.joined(stores, rest: 3)
  }
}

extension CodedImage {
  /// The tones of the image, or nil if it is too small.
  package var tones: ToneGrid? { ToneGrid(planes[0]) { blocks[$0].dc } }
}

extension CodingParameters {
  /// Decodes and transforms the coefficients of the image, and codes each block at once.
  ///
  /// - Returns: The coded blocks, and the details of the scans that they do not determine.
  package func decode(
    _ bytes: Span<UInt8>,
    _ placement: BlockPlacement,
    codes: [ComponentCodes]
  ) throws(DecodeError) -> (CodedImage, ReconstructionInfo) {
    let form = CodedForm(codes, copied: copied(codes, placement.transform))
    let (store, info) = try decode(bytes, placement) {
      // A word for four bytes, and more for the partial words.
      let words = dataSize / 4 + dataSize / 16
      return BlockStore(form, count: placement.count, expectedUnits: words, maxRun: $0)
    }
    return (CodedImage([store], placement.planes), info)
  }

  /// Returns for each component the zigzag positions at which signs change, as bits; nil if its codes cannot be copied,
  /// because the coefficients are swapped or the table is another one.
  private func copied(
    _ codes: [ComponentCodes],
    _ transform: OrientationTransform
  ) -> [UInt64?] {
    var result = [UInt64?](repeating: nil, count: codes.count)
    guard !transform.transposes else { return result }
    for scan in scans {
      let tables = tables(of: scan)
      for part in scan.header.components
      where tables[TableIndex.ac(part.acTable)] == codes[part.index].definition {
        result[part.index] = CoefficientTransform.signChanges(transform)
      }
    }
    return result
  }
}

extension Span<UInt32> {
  /// Returns two words as 64 bits, the first word highest.
  @inline(__always)
  func bits(at index: Int) -> UInt64 {
    let upper = UInt64(UInt32(bigEndian: self[index])) &<< 32
    return upper | UInt64(UInt32(bigEndian: self[index &+ 1]))
  }
}

extension UInt64 {
  /// Returns the highest `number` (0 to 64) bits, with zeros below.
  @inline(__always)
  func first(_ number: Int) -> UInt64 {
    self & ~(UInt64.max >> UInt64(truncatingIfNeeded: number))
  }
}
