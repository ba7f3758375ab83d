package import ImageOrientation

/// A change of a range of bytes in a file, with its meaning.
///
/// A rewrite is a list of edits; every byte outside of them is copied.
package struct Edit: Hashable, Sendable {
  /// The meaning of an edit for people and programs.
  package struct Field: Hashable, Sendable {
    /// A stable identifier, such as `exif.ifd0.orientation`.
    package var identifier: String
    /// The value before, as text; empty if there is none.
    package var old: String
    /// The value after, as text.
    package var new: String

    package init(_ identifier: String, old: String = "", new: String = "") {
      self.identifier = identifier
      self.old = old
      self.new = new
    }
  }

  /// The kind of the replaced bytes, which determines how they are restored.
  package enum Content: Hashable, Sendable {
    /// Bytes that are stored literally.
    case literal
    /// The entropy-coded data of a scan, a function of the image's coefficients.
    case entropyCodedData
    /// Rows of pixels of three bytes, transformed in place.
    case pixels(width: Int, height: Int, transform: OrientationTransform)
  }

  /// The bytes that are replaced; empty for an insertion.
  package var range: Range<Int>
  /// The new bytes.
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

  /// The change of the file's length.
  package var shift: Int { replacement.count - range.count }

  /// Returns the edit for bytes that are so much later in a file.
  package func moved(by distance: Int) -> Edit {
    var edit = self
    edit.range = range.lowerBound + distance..<range.upperBound + distance
    return edit
  }
}

extension [Edit] {
  /// The edits in file order; insertions at an offset come before replacements.
  package var inOrder: [Edit] { inFileOrder { $0.range } }

  /// Whether no two edits overlap.
  package var areDisjoint: Bool {
    let ordered = inOrder
    return zip(ordered, ordered.dropFirst()).allSatisfy {
      $0.range.upperBound <= $1.range.lowerBound
    }
  }

  /// Returns the edited copy of `original`; no two edits may overlap.
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

  /// The change of the file's length by all edits.
  package var totalShift: Int { reduce(0) { $0 + $1.shift } }
}
