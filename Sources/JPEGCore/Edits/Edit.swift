package import ImageOrientation

/// A change of one place in a file: which bytes, into what, and what they mean.
///
/// A rewrite is a list of edits and nothing else; every byte outside of them is copied.
package struct Edit: Hashable, Sendable {
  /// What the bytes of an edit mean to people and to programs.
  package struct Field: Hashable, Sendable {
    /// A stable identifier, such as `exif.ifd0.orientation`.
    package var identifier: String
    /// The value before, in words; empty where it has none.
    package var old: String
    /// The value after.
    package var new: String

    package init(_ identifier: String, old: String = "", new: String = "") {
      self.identifier = identifier
      self.old = old
      self.new = new
    }
  }

  /// What kind of bytes an edit replaces: what it takes to get them back.
  package enum Content: Hashable, Sendable {
    /// Bytes like any others.
    case literal
    /// The entropy-coded data of a scan, a function of the image's coefficients.
    case entropyCodedData
    /// Rows of pixels of three bytes, transformed in place.
    case pixels(width: Int, height: Int, transform: OrientationTransform)
  }

  /// The bytes that are replaced; empty for an insertion.
  package var range: Range<Int>
  /// The bytes that replace it.
  package var replacement: [UInt8]
  package var field: Field
  package var content: Content

  package init(
    _ range: Range<Int>,
    with replacement: [UInt8],
    field: Field,
    content: Content = .literal
  ) {
    self.content = content
    self.range = range
    self.replacement = replacement
    self.field = field
  }

  /// By how many bytes what follows moves.
  package var shift: Int { replacement.count - range.count }
}

extension [Edit] {
  /// The edits in file order; what is inserted at an offset comes first.
  package var inOrder: [Edit] {
    sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
  }

  /// Whether no two edits overlap.
  package var areDisjoint: Bool {
    let ordered = inOrder
    return zip(ordered, ordered.dropFirst()).allSatisfy {
      $0.range.upperBound <= $1.range.lowerBound
    }
  }

  /// The edited copy of `original`.
  ///
  /// - Precondition: No two edits overlap.
  package func applied(to original: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(original.count + reduce(0) { $0 + Swift.max(0, $1.shift) })
    var position = 0
    for edit in inOrder {
      precondition(edit.range.lowerBound >= position, "edits overlap at offset \(position)")
      result += original[position..<edit.range.lowerBound]
      result += edit.replacement
      position = edit.range.upperBound
    }
    result += original[position...]
    return result
  }

  /// By how many bytes the end of the file moves.
  package var totalShift: Int { reduce(0) { $0 + $1.shift } }

  /// The offset in the edited copy of the byte at `offset` of the original.
  ///
  /// What is inserted at an offset comes before the byte there.
  package func position(of offset: Int) -> Int {
    map { $0.outline }.position(of: offset)
  }
}
