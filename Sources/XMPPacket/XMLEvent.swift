/// An event of the XML parser, with offsets in the packet.
package enum XMLEvent: Equatable {
  /// A start tag or an empty-element tag, with attributes in document order.
  case start(XMLName, attributes: [XMLAttribute], tag: Range<Int>)

  /// The end of an element, with the text since the last tag and the offset of the end tag.
  case end(text: String, offset: Int)
}

/// A name with its prefix resolved.
package struct XMLName: Hashable {
  /// The namespace's URI; empty if the name has none.
  package var namespace: String
  /// The name without its prefix.
  package var local: String

  /// Whether this is `rdf:local`.
  func isRDF(_ local: String) -> Bool {
    self.local == local && namespace == XMPNamespace.rdf
  }
}

/// An attribute that does not declare a namespace.
package struct XMLAttribute: Equatable {
  /// The name.
  package var name: XMLName
  /// The value, with references resolved.
  package var value: String
}

/// Returns whether a byte is white space in XML.
func isXMLSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
