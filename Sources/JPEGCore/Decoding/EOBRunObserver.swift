/// Finds the rule by which the EOB runs of a scan end, block by block.
struct EOBRunObserver {
  private var run = EOBRun()
  /// The blocks that do not follow each rule, by the rule's raw value.
  private var exceptions: [3 of [Int]] = [3 of [Int]](repeating: [])

  /// The maximum number of exceptions of a rule.
  private static let maxExceptions = 4096

  /// Notes a block with a new coefficient at the end of its band, and no EOB.
  @inline(__always)
  mutating func noteFull() { run.end() }

  mutating func noteRestart() { run.end() }

  /// Notes a block with new coefficients and an EOB.
  @inline(__always)
  mutating func noteCoefficients(correctionBits: Int) {
    run.begin(afterCoefficients: true, correctionBits: correctionBits)
  }

  /// Notes a block without new coefficients.
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

  /// The rule with the fewest exceptions, and these.
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
