/// The bytes of a file that its parts use, as a reader found them.
///
/// In a sound file no two parts use the same byte. In others, a change of one part would change another.
package struct ByteClaims: Sendable {
  private var ranges: [Range<Int>] = []

  package init() {}

  /// Adds the bytes that a part uses.
  package mutating func add(_ range: Range<Int>) {
    if !range.isEmpty { ranges.append(range) }
  }

  /// Returns whether each edit changes bytes of one part only.
  package func permits(_ edits: [Edit]) -> Bool {
    let users = OverlapCounter(ranges)
    return edits.allSatisfy { users.hasOneOwner($0.range) }
  }
}
