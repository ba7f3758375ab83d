/// A leaf of a packet's RDF: a simple value, its name and the range of its text.
package struct XMPProperty: Sendable, Hashable {
  /// How the value is written.
  package enum Form: Sendable, Hashable {
    /// Between the quotes of an attribute.
    case attribute
    /// Between a start tag and its end tag.
    case element
  }

  /// One enclosing property element.
  package struct PathStep: Sendable, Hashable {
    /// The namespace's URI.
    package var namespace: String
    /// The local name.
    package var name: String
    /// The position among the `rdf:li` of the same array, if the element is one of them.
    package var index: Int?

    /// Names an element, and its position if it is an array item.
    package init(namespace: String, name: String, index: Int? = nil) {
      self.namespace = namespace
      self.name = name
      self.index = index
    }
  }

  /// The namespace's URI, whatever prefix the packet binds to it.
  package var namespace: String

  /// The local name; `li` for an array item, which is named by the last step of its path.
  package var name: String

  /// The position among the `rdf:li` of the same array, if the property itself is one of them.
  package var index: Int?

  /// The text as XML reads it, references resolved, without the white space around it.
  package var value: String

  /// The range of the value's raw text in the packet, without the white space around it.
  package var valueRange: Range<Int>

  /// How the value is written.
  package var form: Form

  /// The enclosing property elements, from the outermost `rdf:Description` inward.
  ///
  /// What only RDF's syntax needs (`rdf:Description`, `rdf:Seq`, `rdf:Bag`, `rdf:Alt` and the
  /// `rdf:value` of a qualified property) is no step, so that all spellings of the same data have
  /// the same path.
  package var path: [PathStep]
}
