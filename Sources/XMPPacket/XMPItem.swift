/// An `rdf:li` of an array: its index and the range of its element.
package struct XMPItem: Sendable, Hashable {
  /// The enclosing property elements, the array's own the last.
  package var path: [XMPProperty.PathStep]

  /// The position among the items of the array.
  package var index: Int

  /// The element, from `<` to `>`.
  package var range: Range<Int>
}
