/// An edit without its new bytes.
package struct EditOutline: Hashable, Sendable {
  /// The bytes of the original that are replaced; empty for an insertion.
  package let range: Range<Int>
  /// The number of new bytes.
  package let count: Int
  package let field: Edit.Field
  package let content: Edit.Content

  /// The change of the file's length.
  package var shift: Int { count - range.count }
}

extension Edit {
  /// The edit without its new bytes.
  package var outline: EditOutline {
    EditOutline(range: range, count: replacement.count, field: field, content: content)
  }
}

extension [EditOutline] {
  /// The edits in file order; insertions at an offset come before replacements.
  package var inOrder: [EditOutline] { orderedIndices.map { self[$0] } }

  /// Returns the position in the edited copy of the byte at `offset` of the original.
  ///
  /// Insertions at the offset come before it.
  package func position(of offset: Int) -> Int {
    reduce(offset) { $1.range.upperBound <= offset ? $0 + $1.shift : $0 }
  }

  /// The range of each edit's new bytes in the edited copy.
  package var replacementRanges: [Range<Int>] {
    var result = map { $0.range }
    var shift = 0
    for index in orderedIndices {
      let start = self[index].range.lowerBound + shift
      result[index] = start..<start + self[index].count
      shift += self[index].shift
    }
    return result
  }

  private var orderedIndices: [Int] {
    indices.inFileOrder { self[$0].range }
  }
}
