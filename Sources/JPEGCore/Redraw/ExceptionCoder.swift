/// Codes the exceptions: the coefficients of the original that differ from their estimates from the re-encoded image.
///
/// Binary decisions are coded with adaptive probabilities. Their contexts are known to the decoder, too:
///
/// ```text
///   decision                          contexts
///   the block has exceptions          kind (4) × in doubt × block before had exceptions
///     a coefficient is one            kind × step 1, 2, 3+ × tendency (5) × doubt (0 … 8)
///       it differs in the other way   kind × doubt
///       number of binary digits       kind × digit, in unary
///       digits after the first        number of digits × digit
/// ```
///
/// The doubt is the distance of the unquantized estimate from the quotient, in sixteenths of a step; the nearer it is
/// to 8, the middle between two quotients, the likelier is an exception. Blocks at an edge that the redraw moved have
/// contexts of their own, because the original's padding is lost there.
struct ExceptionCoder<Coder: BinaryCoder> {
  private(set) var coder: Coder
  private(set) var count = 0

  private static var kinds: Int { 4 }
  private static var maxDigits: Int { 17 }
  private static var doubts: Int { Quantizer.Estimate.maxDoubt + 1 }
  private static var steps: Int { 3 }
  private static var tendencies: Int { 5 }

  private var blocks = [AdaptiveBit](count: kinds * 4)
  private var coefficients = [AdaptiveBit](count: kinds * steps * tendencies * doubts)
  private var differences = Differences()
  private var previous = false
  /// The blocks in work: estimate, doubts, original, contexts.
  private let scratch = BlockRow(count: 4)

  init(_ coder: Coder) { self.coder = coder }

  /// Codes or decodes the exceptions of a block.
  ///
  /// A coder reads the original's block, a decoder writes it. The kind is 1 for a block that lost padding on the right,
  /// plus 2 for one that lost padding at the bottom.
  @inline(__always)
  mutating func code(
    _ block: inout Block,
    _ estimate: Quantizer.Estimate,
    _ kind: Int,
    _ quantizer: borrowing Quantizer
  ) {
    let model = kind * 4 + (estimate.isInDoubt ? 2 : 0) + (previous ? 1 : 0)
    previous = coder.code(Self.differ(block, estimate.quotients), &blocks[model])
    block = previous ? codeCoefficients(block, estimate, kind, quantizer) : estimate.quotients
  }

  @inline(never)
  private mutating func codeCoefficients(
    _ truth: Block,
    _ estimate: Quantizer.Estimate,
    _ kind: Int,
    _ quantizer: borrowing Quantizer
  ) -> Block {
    // Single values are read faster from memory than from SIMD lanes.
    let doubts = quantizer.doubts(estimate.rests)
    scratch[0] = estimate.quotients
    scratch[1] = doubts
    scratch[2] = truth
    scratch[3] = Self.contexts(estimate.quotients, doubts, quantizer.steps)
    count += Self.code(scratch, kind, &coefficients, &differences, &coder)
    return scratch[0]
  }

  /// Codes or decodes the coefficients of the block in `scratch`, and returns the number of exceptions.
  private static func code(
    _ scratch: BlockRow,
    _ kind: Int,
    _ models: inout [AdaptiveBit],
    _ differences: inout Differences,
    _ coder: inout Coder
  ) -> Int {
    // An array would be checked for other references whenever an element changes.
    var models = models.mutableSpan
    var count = 0
    let first = kind &* steps &* tendencies &* doubts
    for index in 0..<64 {
      let (value, original) = (scratch.value(0, index), scratch.value(2, index))
      let model = first &+ Int(scratch.value(3, index))
      guard coder.code(original != value, &models[model]) else { continue }
      count += 1
      let coded = differences.code(
        Int(original) - Int(value),
        kind,
        Int(scratch.value(1, index)),
        &coder
      )
      scratch.set(Int16(truncatingIfNeeded: Int(value) + coded), 0, index)
    }
    return count
  }

  /// Returns the contexts of coefficients: their steps, tendencies and doubts.
  ///
  /// A tendency is whether a coefficient is 0, ±1 or larger, and whether its doubt points towards zero. Steps of 1 and 2
  /// have contexts of their own, because the re-encoded steps are hardly finer.
  @inline(__always)
  private static func contexts(_ values: Block, _ doubts: Block, _ steps: Block) -> Block {
    makeBlock { line in
      let (value, doubt) = (values[line], doubts[line])
      // Twice the magnitude up to 2, and one less if the doubt points towards zero.
      let magnitude = value.larger(0 &- value).smaller(SIMD8(repeating: 2)) &* 2
      let isTowardsZero = ((0 &- value) ^ (0 &- doubt)) &>> 15
      let tendency = (magnitude &+ isTowardsZero).larger(.zero)
      let step = steps[line].smaller(SIMD8(repeating: Int16(Self.steps))) &- 1
      return (step &* Int16(tendencies) &+ tendency) &* Int16(Self.doubts)
        &+ doubt.larger(0 &- doubt)
    }
  }

  @inline(__always)
  private static func differ(_ a: Block, _ b: Block) -> Bool {
    var difference = SIMD8<Int16>.zero
    for line in 0..<8 { difference |= a[line] ^ b[line] }
    return !difference.isZero
  }
}

extension ExceptionCoder {
  /// The models of the differences of exceptions.
  private struct Differences {
    private var directions = [AdaptiveBit](count: kinds * doubts)
    private var lengths = [AdaptiveBit](count: kinds * maxDigits)
    private var digits = [AdaptiveBit](count: (maxDigits + 1) * maxDigits)

    /// Codes a difference other than 0, or decodes it and ignores `difference`.
    mutating func code(
      _ difference: Int,
      _ kind: Int,
      _ doubt: Int,
      _ coder: inout Coder
    ) -> Int {
      let isOpposite = coder.code(
        (difference > 0) != (doubt > 0),
        &directions[kind * doubts + abs(doubt)]
      )
      let magnitude = code(magnitude: abs(difference), kind, &coder)
      return (doubt > 0) != isOpposite ? magnitude : -magnitude
    }

    /// Codes a number of 1 to 18 binary digits: their number in unary, then all except the first (Elias gamma).
    private mutating func code(magnitude: Int, _ kind: Int, _ coder: inout Coder) -> Int {
      var more = 0
      while more < maxDigits,
        coder.code(magnitude >> (more + 1) != 0, &lengths[kind * maxDigits + more])
      {
        more += 1
      }
      var result = 1
      for digit in (0..<more).reversed() {
        let isSet = coder.code(
          magnitude >> digit & 1 != 0,
          &digits[more * maxDigits + digit]
        )
        result = result << 1 | (isSet ? 1 : 0)
      }
      return result
    }
  }
}

extension [AdaptiveBit] {
  fileprivate init(count: Int) { self.init(repeating: AdaptiveBit(), count: count) }
}
