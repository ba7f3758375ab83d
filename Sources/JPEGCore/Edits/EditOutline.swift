/// An edit without its bytes, which the edited file has.
package struct EditOutline: Hashable, Sendable {
  /// The bytes of the original that are replaced; empty for an insertion.
  package let range: Range<Int>
  /// How many bytes replace it.
  package let count: Int
  package let field: Edit.Field
  package let content: Edit.Content

  /// By how many bytes what follows moves.
  package var shift: Int { count - range.count }
}

extension Edit {
  /// The edit without its bytes.
  package var outline: EditOutline {
    EditOutline(range: range, count: replacement.count, field: field, content: content)
  }
}

extension [EditOutline] {
  /// The edits in file order; what is inserted at an offset comes first.
  package var inOrder: [EditOutline] { orderedIndices.map { self[$0] } }

  /// The offset in the edited copy of the byte at `offset` of the original.
  ///
  /// What is inserted at an offset comes before the byte there.
  package func position(of offset: Int) -> Int {
    reduce(offset) { $1.range.upperBound <= offset ? $0 + $1.shift : $0 }
  }

  /// The ranges of the new bytes of each edit in the edited copy.
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
    indices.sorted {
      let (first, second) = (self[$0].range, self[$1].range)
      return (first.lowerBound, first.upperBound) < (second.lowerBound, second.upperBound)
    }
  }
}
