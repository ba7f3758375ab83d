internal import ImageOrientation

/// The blocks of a sequential image with their AC coefficients as runs and values, and the frequencies of these.
///
/// It is for an image whose tables are chosen when all of it was decoded.
package struct RunImage {
  /// One block: its DC coefficient, and the position of its AC coefficients.
  ///
  /// ```text
  ///   63              23   22       16   15             0
  ///   index of word 1    | words       | DC coefficient
  /// ```
  package struct Block: StoredBlock {
    private let content: UInt64

    static let zero = Block(start: 0, words: 0, dc: 0)

    @inline(__always)
    init(start: Int, words: Int, dc: Int16) {
      content =
        UInt64(truncatingIfNeeded: start) &<< 23 | UInt64(truncatingIfNeeded: words) &<< 16
        | UInt64(UInt16(bitPattern: dc))
    }

    /// The index of the first word.
    @inline(__always)
    var start: Int { Int(truncatingIfNeeded: content &>> 23) }
    /// The indexes of the words.
    @inline(__always)
    var words: Range<Int> {
      let start = start
      return start..<start &+ Int(truncatingIfNeeded: content &>> 16 & 0x7F)
    }
    @inline(__always)
    var dc: Int16 { Int16(truncatingIfNeeded: content) }

    @inline(__always)
    func moved(by distance: Int) -> Block {
      Block(start: start &+ distance, words: words.count, dc: dc)
    }
  }

  /// The components' places in ``blocks``.
  package let planes: [CoefficientImage.Plane]
  let blocks: [Block]
  /// The AC coefficients of all blocks, see ``RunForm``.
  let words: [UInt32]
  /// The frequencies of each component.
  let counts: [RunCount]

  /// The stores of all components have the same counts.
  init(_ stores: [BlockStore<RunForm>], _ planes: [CoefficientImage.Plane]) {
    self.planes = planes
    counts = stores[0].form.counts
    (blocks, words) = BlockStore.joined(stores)
  }
}

extension RunImage {
  /// The tones of the image, or nil if it is too small.
  package var tones: ToneGrid? { ToneGrid(planes[0]) { blocks[$0].dc } }
}

extension CodingParameters {
  /// Decodes and transforms the coefficients of the image, and counts them.
  ///
  /// - Returns: The runs of the blocks, and the details of the scans that they do not determine.
  package func decodeRuns(
    _ bytes: Span<UInt8>,
    _ placement: BlockPlacement
  ) throws(DecodeError) -> (RunImage, ReconstructionInfo) {
    let form = RunForm(components: placement.planes.count)
    let (store, info) = try decode(bytes, placement) {
      // A byte of data rarely codes more than two coefficients.
      BlockStore(
        form,
        count: placement.count,
        expectedUnits: dataSize + dataSize / 8,
        maxRun: $0
      )
    }
    return (RunImage([store], placement.planes), info)
  }
}
