/// The padding bits of the last byte of each restart interval of a scan.
package struct Fill: Hashable, Sendable {
  /// Whether they are ones, as the standard requires.
  package var isOnes: Bool
  /// The bits of intervals that differ, by the interval's number.
  package var exceptions: [Int: FillBits] = [:]

  /// Creates a rule without exceptions.
  package init(isOnes: Bool = true) { self.isOnes = isOnes }

  /// Creates the rule with the fewest exceptions.
  init(_ bits: [FillBits]) {
    let ones = bits.count { $0.areOnes }
    let zeros = bits.count { $0.areZeros }
    isOnes = ones >= zeros
    for (number, fill) in bits.enumerated() where !(isOnes ? fill.areOnes : fill.areZeros) {
      exceptions[number] = fill
    }
  }

  /// Returns the padding bits of a byte, right-aligned.
  func bits(_ interval: Int, count: Int) -> UInt64 {
    if !exceptions.isEmpty, let exception = exceptions[interval], exception.count == count {
      return exception.value
    }
    return isOnes ? 1 << UInt64(count) - 1 : 0
  }
}
