internal import ImageOrientation

/// The blocks of a sequential image with their AC coefficients as runs and values, and the frequencies of these.
///
/// It is for an image whose tables are chosen when all of it was decoded.
package struct RunImage {
  /// One block: its DC coefficient, and the position of its AC coefficients.
  ///
  /// ```text
  ///   63              23   22       16   15             0
  ///   isWide, index of   | number of   | DC coefficient
  ///   word 1             | words       |
  /// ```
  package struct Block: BitwiseCopyable {
    private let content: UInt64

    static let zero = Block(start: 0, words: 0, isWide: true, dc: 0)

    @inline(__always)
    init(start: Int, words: Int, isWide: Bool, dc: Int16) {
      content =
        (isWide ? 1 &<< 63 : 0) | UInt64(truncatingIfNeeded: start) &<< 23
        | UInt64(truncatingIfNeeded: words) &<< 16 | UInt64(UInt16(bitPattern: dc))
    }

    /// The index of the first word.
    @inline(__always)
    var start: Int { Int(truncatingIfNeeded: (content &<< 1) &>> 24) }
    /// The number of words.
    @inline(__always)
    var words: Int { Int(truncatingIfNeeded: content &>> 16 & 0x7F) }
    /// The format of the words, see ``RunForm``.
    @inline(__always)
    var isWide: Bool { Int64(bitPattern: content) < 0 }
    @inline(__always)
    var dc: Int16 { Int16(truncatingIfNeeded: content) }
  }

  /// The components' places in ``blocks``.
  package let planes: [CoefficientImage.Plane]
  let blocks: [Block]
  /// The AC coefficients of all blocks.
  let words: [UInt32]
  /// The frequencies of each component.
  let counts: [RunCount]

  init(_ store: BlockStore<RunForm>, _ planes: [CoefficientImage.Plane]) {
    self.planes = planes
    blocks = store.blocks
    counts = store.form.counts
    words = store.finish()
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
      BlockStore(form, placement, expectedUnits: dataSize + dataSize / 8, maxRun: $0)
    }
    return (RunImage(store, placement.planes), info)
  }
}

extension ComponentCodes {
  /// Codes the AC coefficients of a block.
  @inline(__always)
  func put(
    _ block: RunImage.Block,
    _ words: Span<UInt32>,
    into register: inout BitRegister
  ) {
    let isJoined =
      !block.isWide
      && register.join { joined in
        for index in block.start..<block.start &+ block.words {
          let (a, b) = entries(of: words[index])
          joined.put(a, b)
        }
      }
    // An entry may be missing because it would be too long.
    if !isJoined { putOther(block, words, into: &register) }
  }

  /// Codes any block, one symbol at a time.
  @inline(never)
  private func putOther(
    _ block: RunImage.Block,
    _ words: Span<UInt32>,
    into register: inout BitRegister
  ) {
    var position = 0
    func put(run: Int, _ value: Int) {
      register.put(value, after: run, table: acTable)
      position += run + 1
    }
    for index in block.start..<block.start + block.words {
      let word = words[index]
      if block.isWide {
        put(run: Int(word >> 16), Int(Int16(truncatingIfNeeded: word)))
        continue
      }
      for half in [word & 0xFFFF, word >> 16] {
        let (run, bits) = Self.content(Int(half))
        if bits == TransformedBlock.eob || bits == TransformedBlock.none { continue }
        let extended = Int(Int8(bitPattern: bits))
        put(run: run, extended < 0 ? extended + 1 : extended)
      }
    }
    if position < 63 {
      register.put(symbol: SequentialCoder.eob, table: acTable, bits: 0, count: 0)
    }
  }
}
