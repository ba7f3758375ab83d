package import JPEGCore

extension Rewrite {
  /// Returns the rewrite with further edits of its result; nil if the original could no longer be restored.
  package func edited(by edits: [Edit]) -> Rewrite? {
    guard !edits.isEmpty else { return self }
    var rewrite = self
    rewrite.bytes = edits.applied(to: bytes)
    rewrite.changes = changes(with: edits, rewrite.bytes)
    guard let undo else { return rewrite }
    guard let record = undo.following(edits.map { $0.outline }, bytes),
      record.delta.skeleton(of: rewrite.bytes) == undo.delta.skeleton(of: bytes)
    else { return nil }
    rewrite.undo = record
    return rewrite
  }

  /// Returns the changes of the original by the rewrite and the edits of its result.
  private func changes(with edits: [Edit], _ result: [UInt8]) -> [Change] {
    var changes = self.changes.inOrder
    var shift = 0
    let places = changes.map { change in
      let start = change.range.lowerBound + shift
      shift += change.replacement.count - change.range.count
      return start..<start + change.replacement.count
    }
    var added: [Change] = []
    var shifts = [Int](repeating: 0, count: changes.count)
    // From the last to the first, so that the edits of one change do not move each other.
    for edit in edits.inOrder.reversed() {
      let range = edit.range
      let changed = places.firstIndex {
        !range.isEmpty && $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
      }
      if let changed {
        shifts[changed] += edit.shift
        if !edit.field.new.isEmpty { changes[changed].new = edit.field.new }
      } else {
        let last = places.lastIndex { $0.upperBound <= range.lowerBound }
        let shift = last.map { changes[$0].range.upperBound - places[$0].upperBound } ?? 0
        added.append(Change(edit.moved(by: shift)))
      }
    }
    for index in changes.indices {
      let start = edits.position(of: places[index].lowerBound)
      let end = start + places[index].count + shifts[index]
      changes[index].replacement = result[start..<end]
    }
    changes.removeAll { $0.range.isEmpty && $0.replacement.isEmpty }
    return (changes + added).inOrder
  }
}

extension [Change] {
  /// The changes in file order; insertions at an offset come before replacements.
  fileprivate var inOrder: [Change] { inFileOrder { $0.range } }
}
