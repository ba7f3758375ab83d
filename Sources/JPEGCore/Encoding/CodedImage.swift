internal import ImageOrientation

/// The blocks of an image with their AC coefficients as Huffman codes, in the form in which they are written.
///
/// Where the tables are known before the coefficients are, each block is coded while the decoder's coefficients
/// of it are near; what is left to do is to put the strings of bits in order. They take about as much memory as
/// the entropy-coded data.
package struct CodedImage {
  /// One block: its DC coefficient, and the place of the codes of the others.
  package struct Block: BitwiseCopyable {
    /// The index of the first word × 2²⁷, the number of bits × 2¹⁶, and the DC coefficient.
    private let content: UInt64

    /// The block without codes.
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
    /// How many bits there are; the others of the last word mean nothing.
    @inline(__always)
    var bits: Int { Int(truncatingIfNeeded: content &>> 16 & 0x7FF) }
    @inline(__always)
    var dc: Int16 { Int16(truncatingIfNeeded: content) }
  }

  /// The components' places in ``blocks``.
  package let planes: [CoefficientImage.Plane]
  let blocks: [Block]
  /// The codes of all blocks, each beginning with a word, most significant byte first.
  let words: [UInt32]
  /// Whether a coefficient occurs that its table has no code for.
  let lacksCode: Bool

  /// A store for the blocks of an image.
  static func store(
    _ codes: [ComponentCodes],
    planes: [CoefficientImage.Plane],
    transform: OrientationTransform,
    size: Int,
    maxRun: Int
  ) -> BlockStore<CodedForm> {
    BlockStore(
      CodedForm(codes),
      planes: planes,
      transform: transform,
      // A word of four bytes, and half of another one for what is left of each block's last.
      expectedUnits: size / 4 + size / 16,
      maxRun: maxRun
    )
  }

  init(_ store: BlockStore<CodedForm>, _ planes: [CoefficientImage.Plane]) {
    self.planes = planes
    blocks = store.blocks
    lacksCode = store.form.lacksCode
    // They are read in pairs, also after the last one.
    words = store.finish(rest: 3)
  }
}

extension Span<UInt32> {
  /// Two words, the highest bit of each first.
  @inline(__always)
  func bits(at index: Int) -> UInt64 {
    let upper = UInt64(UInt32(bigEndian: self[index])) &<< 32
    return upper | UInt64(UInt32(bigEndian: self[index &+ 1]))
  }
}

extension UInt64 {
  /// The highest `number` (0 to 64) bits, and zeros after them.
  @inline(__always)
  func first(_ number: Int) -> UInt64 {
    self & ~(UInt64.max >> UInt64(truncatingIfNeeded: number))
  }
}
