/// A random number generator with the same numbers in every run (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension [UInt8] {
  /// Returns a copy with one to four changed bytes.
  package func damaged(using generator: inout SeededGenerator) -> [UInt8] {
    var result = self
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: indices, using: &generator)
      // Half of the changes use bytes that are common in JPEG structures.
      result[place] =
        Bool.random(using: &generator)
        ? [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &generator) ?? 0
        : UInt8.random(in: 0...255, using: &generator)
    }
    return result
  }
}
