/// An `rdf:li` of an array: its index and the range of its element.
package struct XMPItem: Sendable, Hashable {
  /// The enclosing property elements; the last is that of the array.
  package var path: [XMPProperty.PathStep]

  /// The index among the items of the array.
  package var index: Int

  /// The range of the element, from `<` to `>`.
  package var range: Range<Int>
}
