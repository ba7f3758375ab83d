internal import JPEGCore

extension Delta {
  /// Returns the delta of a result that was edited later, or nil if an edit changes bytes that a step transforms.
  func following(_ edits: [EditOutline], _ result: [UInt8]) -> Delta? {
    var delta = Delta()
    var rest = edits.inOrder[...]
    var position = 0
    for step in steps {
      switch step {
      case .literal: delta.append(step)
      case .copy(let count):
        let end = position + count
        delta.pass(&position, to: end, &rest, { .copy($0.count) }, { .literal(Array(result[$0])) })
      case .skip(let count):
        // Skipped bytes that are replaced are not in the original.
        delta.pass(&position, to: position + count, &rest, { .skip($0.count) }, { _ in .skip(0) })
      case .pixels, .table:
        let end = position + step.countOfResult
        guard rest.first.map({ $0.range.lowerBound >= end }) ?? true else { return nil }
        delta.append(step)
        position = end
      }
    }
    return rest.isEmpty ? delta : nil
  }

  /// Appends the steps for bytes of the result, some of which are edited.
  private mutating func pass(
    _ position: inout Int,
    to end: Int,
    _ rest: inout ArraySlice<EditOutline>,
    _ kept: (Range<Int>) -> Step,
    _ replaced: (Range<Int>) -> Step
  ) {
    while let edit = rest.first, edit.range.lowerBound < end {
      if position <= edit.range.lowerBound {
        append(kept(position..<edit.range.lowerBound))
        append(.skip(edit.count))
        position = edit.range.lowerBound
      }
      let stop = min(edit.range.upperBound, end)
      append(replaced(position..<stop))
      position = stop
      guard edit.range.upperBound <= end else { return }
      rest.removeFirst()
    }
    append(kept(position..<end))
    position = end
  }
}

extension UndoRecord {
  /// Returns the record of a result that was edited later, or nil if an edit changes bytes that the record transforms.
  func following(_ edits: [EditOutline], _ result: [UInt8]) -> UndoRecord? {
    guard let delta = delta.following(edits, result) else { return nil }
    let images = images.map { image in
      var image = image
      image.resultStart = edits.position(of: image.resultStart)
      return image
    }
    let shift = edits.reduce(0) { $0 + $1.shift }
    return UndoRecord(delta: delta, images: images, resultSize: resultSize + shift)
  }
}
