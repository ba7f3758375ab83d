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
    edits.allSatisfy { edit in
      let users = ranges.filter { $0.overlaps(edit.range) }
      return users.count == 1 && users[0].clamped(to: edit.range) == edit.range
    }
  }
}
