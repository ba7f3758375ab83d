/// Finds out by which rule the end-of-band runs of a scan end, block by block.
struct EOBRunObserver {
  private var run = EOBRun()
  /// The blocks that break each rule, by the rule's number.
  private var exceptions: [3 of [Int]] = [3 of [Int]](repeating: [])

  /// More exceptions than this are not worth keeping; the rule is not the one.
  private static let maxExceptions = 4096

  /// A block has new coefficients, and no EOB.
  @inline(__always)
  mutating func noteFull() { run.end() }

  /// A restart interval ends.
  mutating func noteRestart() { run.end() }

  /// A block has new coefficients, and begins a run.
  @inline(__always)
  mutating func noteCoefficients(correctionBits: Int) {
    run.begin(afterCoefficients: true, correctionBits: correctionBits)
  }

  /// A block has no new coefficients.
  ///
  /// - Parameters:
  ///   - block: The number of the block in the scan.
  ///   - joins: Whether it continues the run of the block before it.
  ///   - correctionBits: How many correction bits it has.
  @inline(__always)
  mutating func noteEmpty(_ block: Int, joins: Bool, correctionBits: Int) {
    if run.length > 0 {
      for rule in EOBRuns.Rule.allCases where run.continues(by: rule) != joins {
        note(block, against: rule)
      }
    }
    if joins {
      run.join(correctionBits: correctionBits)
    } else {
      run.begin(afterCoefficients: false, correctionBits: correctionBits)
    }
  }

  private mutating func note(_ block: Int, against rule: EOBRuns.Rule) {
    if exceptions[rule.rawValue].count < Self.maxExceptions {
      exceptions[rule.rawValue].append(block)
    }
  }

  /// The rule with the fewest exceptions.
  var runs: EOBRuns {
    var result = EOBRuns()
    for rule in EOBRuns.Rule.allCases
    where exceptions[rule.rawValue].count < exceptions[result.rule.rawValue].count {
      result.rule = rule
    }
    result.exceptions = Set(exceptions[result.rule.rawValue])
    return result
  }
}
