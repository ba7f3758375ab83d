/// Codes where the coefficients of the original differ from what the re-encoded image says of them.
///
/// The nearer a coefficient lies to the middle between two quotients, the likelier it is an exception. That is
/// known when decoding, too, and chooses among the learned probabilities. Blocks at an edge that the redraw
/// moved have probabilities of their own, for the original's padding is lost there.
struct ExceptionCoder<Coder: BinaryCoder> {
  /// What is known beforehand of a block.
  struct Kind {
    /// Whether the block reaches beyond the image where the redraw moved its right edge.
    var losesColumns: Bool
    /// Whether it does so at the bottom edge.
    var losesRows: Bool

    static var count: Int { 4 }

    fileprivate var index: Int { (losesRows ? 2 : 0) + (losesColumns ? 1 : 0) }
  }

  /// Takes or gives the bits.
  private(set) var coder: Coder
  /// The number of exceptions so far.
  private(set) var count = 0

  private static var maxDigits: Int { 17 }
  private static var doubts: Int { Quantizer.Estimate.maxDoubt + 1 }
  private static var steps: Int { 3 }
  private static var tendencies: Int { 5 }

  /// Whether a block has exceptions, by kind, doubt and whether the block before had some.
  private var blocks = [AdaptiveBit](count: Kind.count * 4)
  /// Whether a coefficient is one, by kind, step, tendency and doubt.
  private var coefficients = [AdaptiveBit](count: Kind.count * steps * tendencies * doubts)
  /// Whether it lies on the other side than its doubt says, by kind and doubt.
  private var directions = [AdaptiveBit](count: Kind.count * doubts)
  /// Whether the difference has more binary digits, by kind and digit.
  private var lengths = [AdaptiveBit](count: Kind.count * maxDigits)
  /// The digits after the first, by their number and place.
  private var digits = [AdaptiveBit](count: (maxDigits + 1) * maxDigits)
  private var previous = false
  /// Blocks at work.
  private let scratch = BlockRow(count: 4)

  init(_ coder: Coder) { self.coder = coder }

  /// Codes the exceptions of a block.
  ///
  /// - Parameters:
  ///   - block: The original's coefficients; a decoder pays no attention to them, and writes them.
  ///   - estimate: What the re-encoded image says of them.
  ///   - kind: What is known of the block.
  ///   - quantizer: What the estimate was made by.
  @inline(__always)
  mutating func code(
    _ block: inout Block,
    _ estimate: Quantizer.Estimate,
    _ kind: Kind,
    _ quantizer: borrowing Quantizer
  ) {
    let model = kind.index * 4 + (estimate.isInDoubt ? 2 : 0) + (previous ? 1 : 0)
    previous = coder.code(Self.differ(block, estimate.quotients), &blocks[model])
    block = previous ? codeCoefficients(block, estimate, kind, quantizer) : estimate.quotients
  }

  @inline(never)
  private mutating func codeCoefficients(
    _ truth: Block,
    _ estimate: Quantizer.Estimate,
    _ kind: Kind,
    _ quantizer: borrowing Quantizer
  ) -> Block {
    // One after the other, they are reached faster than as lanes.
    scratch[0] = estimate.quotients
    scratch[1] = quantizer.doubts(estimate.rests)
    scratch[2] = truth
    scratch[3] = quantizer.steps
    for index in 0..<64 {
      let value = Int(scratch.value(0, index))
      let doubt = Int(scratch.value(1, index))
      let difference = Int(scratch.value(2, index)) - value
      // Steps of 1 and 2 are those that the re-encoded ones are hardly finer than.
      let step = min(Int(scratch.value(3, index)), Self.steps) - 1
      let model =
        ((kind.index * Self.steps + step) * Self.tendencies + tendency(value, doubt))
        * Self.doubts + abs(doubt)
      guard coder.code(difference != 0, &coefficients[model]) else { continue }
      count += 1
      let isOpposite = coder.code(
        (difference > 0) != (doubt > 0),
        &directions[kind.index * Self.doubts + abs(doubt)]
      )
      let magnitude = code(magnitude: abs(difference), kind)
      scratch.set(
        Int16(
          truncatingIfNeeded: (doubt > 0) != isOpposite ? value + magnitude : value - magnitude
        ),
        0,
        index
      )
    }
    return scratch[0]
  }

  /// Codes a number of 1 to 18 binary digits: how many, then all but the first.
  private mutating func code(magnitude: Int, _ kind: Kind) -> Int {
    var more = 0
    while more < Self.maxDigits,
      coder.code(magnitude >> (more + 1) != 0, &lengths[kind.index * Self.maxDigits + more])
    {
      more += 1
    }
    var result = 1
    for digit in (0..<more).reversed() {
      let isSet = coder.code(
        magnitude >> digit & 1 != 0,
        &digits[more * Self.maxDigits + digit]
      )
      result = result << 1 | (isSet ? 1 : 0)
    }
    return result
  }

  /// How large a value is, and whether its doubt draws it towards zero: small ones are likelier.
  private func tendency(_ value: Int, _ doubt: Int) -> Int {
    let isTowardsZero = (value > 0) != (doubt > 0)
    return switch abs(value) {
    case 0: 0
    case 1: isTowardsZero ? 1 : 2
    default: isTowardsZero ? 3 : 4
    }
  }

  @inline(__always)
  private static func differ(_ a: Block, _ b: Block) -> Bool {
    var difference = SIMD8<Int16>.zero
    for line in 0..<8 { difference |= a[line] ^ b[line] }
    return difference.union != 0
  }
}

extension [AdaptiveBit] {
  fileprivate init(count: Int) { self.init(repeating: AdaptiveBit(), count: count) }
}
