/// A leaf of a packet's RDF: the name, the value and the range of a simple value.
package struct XMPProperty: Sendable, Hashable {
  /// The syntax of the value.
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
    /// The index among the `rdf:li` of the same array, if the element is one of them.
    package var index: Int?

    /// Creates a step from the name of an element, and its index if it is an array item.
    package init(namespace: String, name: String, index: Int? = nil) {
      self.namespace = namespace
      self.name = name
      self.index = index
    }
  }

  /// The namespace's URI, regardless of its prefix in the packet.
  package var namespace: String

  /// The local name; `li` for an array item, whose array is the last step of the path.
  package var name: String

  /// The index among the `rdf:li` of the same array, if the property is one of them.
  package var index: Int?

  /// The value after XML parsing, with references resolved and without surrounding white space.
  package var value: String

  /// The range of the raw value in the packet, without surrounding white space.
  package var valueRange: Range<Int>

  /// The syntax of the value.
  package var form: Form

  /// The enclosing property elements, from the outermost `rdf:Description` inward.
  ///
  /// Elements that only RDF's syntax requires (`rdf:Description`, `rdf:Seq`, `rdf:Bag`, `rdf:Alt` and the `rdf:value`
  /// of a qualified property) are not steps, so the path does not depend on the syntax.
  package var path: [PathStep]
}
