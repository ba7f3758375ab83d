/// Where the EOB runs of a progressive AC scan end: a rule, and the blocks that do not follow it.
package struct EOBRuns: Hashable, Sendable {
  /// The rule for which blocks without new coefficients continue the run before them.
  package enum Rule: Int, CaseIterable, Sendable {
    /// All, until the run or its correction bits reach the limit, as in libjpeg.
    case maximal
    /// All, except the first one after a block with new coefficients.
    case separateAfterCoefficients
    /// None: each run has one block.
    case single
  }

  package var rule = Rule.maximal
  /// The numbers of the blocks that do not follow the rule.
  package var exceptions: Set<Int> = []
}

/// An EOB run: consecutive blocks without further coefficients in a band, coded together as EOBn (T.81, G.1.2.2).
///
/// An encoder holds it back until it ends. A decoder follows it to find the rule by which the encoder ended runs.
struct EOBRun {
  /// The longest run that EOB14 can code.
  static let maxLength = 0x7FFF
  /// libjpeg ends a run before its buffer of 1000 correction bits could overflow (`MAX_CORR_BITS` in jcphuff.c).
  private static let maxCorrectionBits = 1000 - 64 + 1

  /// EOBRUN: the number of blocks; 0 if there is no run.
  private(set) var length = 0
  /// Whether the first block of the run has new coefficients.
  private var beginsAfterCoefficients = false
  /// The number of correction bits of the run's blocks.
  private var correctionBits = 0

  @inline(__always)
  mutating func begin(afterCoefficients: Bool, correctionBits: Int) {
    length = 1
    beginsAfterCoefficients = afterCoefficients
    self.correctionBits = correctionBits
  }

  @inline(__always)
  mutating func join(correctionBits: Int) {
    length &+= 1
    self.correctionBits &+= correctionBits
  }

  @inline(__always)
  mutating func end() { length = 0 }

  /// Returns whether the next block without new coefficients continues the run by a rule.
  @inline(__always)
  func continues(by rule: EOBRuns.Rule) -> Bool {
    guard length < Self.maxLength, correctionBits <= Self.maxCorrectionBits else { return false }
    return switch rule {
    case .maximal: true
    case .separateAfterCoefficients: !beginsAfterCoefficients || length > 1
    case .single: false
    }
  }

  /// Returns whether the next block, which has no new coefficients, continues the run.
  @inline(__always)
  func continues(by runs: EOBRuns, at number: Int) -> Bool {
    guard length > 0 else { return false }
    let continues = continues(by: runs.rule)
    guard !runs.exceptions.isEmpty, runs.exceptions.contains(number) else { return continues }
    return !continues && length < Self.maxLength
  }
}
