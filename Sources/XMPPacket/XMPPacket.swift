/// An XMP packet, parsed as XML and edited in its bytes.
///
/// The bytes are those after the `http://ns.adobe.com/xap/1.0/` header of an APP1 segment, or a sidecar file. A byte
/// order mark, the `<?xpacket?>` wrapper, padding of white space or NUL, and further packets after the first are
/// optional.
package struct XMPPacket: Sendable {
  /// The bytes of the packet.
  package let bytes: [UInt8]

  /// Every leaf value within `rdf:RDF`, in document order; empty if the packet has no RDF.
  ///
  /// An empty-element tag without attributes has no range for a value and is not listed.
  package let properties: [XMPProperty]

  /// Every item of an array, in the order in which the items end.
  package let items: [XMPItem]

  /// The documents in the packet, in order.
  let documents: [Document]

  /// A document in the packet.
  struct Document: Sendable {
    /// The end of the root element.
    var end: Int
    /// The offset of `<?xpacket end`, or nil if it is missing.
    var packetEnd: Int?
  }

  /// Parses `bytes`.
  ///
  /// - Throws: ``XMPError`` if the packet is not well-formed XML in UTF-8, declares a document
  ///   type, or exceeds a limit.
  package init(_ bytes: [UInt8]) throws(XMPError) {
    try Self.checkEncoding(of: bytes)
    try Self.checkLimits(of: bytes)
    var reader = PropertyReader(bytes)
    var documents: [Document] = []
    var position = 0
    var (partCount, nameCount) = (0, 0)
    while let start = Self.startOfContent(in: bytes, from: position) {
      partCount += 1
      guard partCount <= Self.maximumPartCount else {
        throw .limitExceeded(.parts, offset: start)
      }
      try Self.checkEncoding(of: bytes, at: start)
      let part = try XMLPart(bytes, from: start)
      if let packetEnd = part.packetEnds.first, let last = documents.indices.last {
        documents[last].packetEnd = packetEnd
      }
      switch part.ending {
      case .root(let end):
        nameCount += part.nameCount
        guard nameCount <= Self.maximumNameCount else {
          throw .limitExceeded(.names, offset: start)
        }
        try reader.read(part.events)
        documents.append(Document(end: end))
        position = end
      case .noElement:
        position = bytes.count
      case .malformed(let offset, _, outsideRoot: true)
      where offset > start && Self.mayStartPart(bytes, at: offset):
        position = offset
      case .malformed(let offset, let message, _):
        throw .malformed(offset: offset, message: message)
      case .refused(let error):
        throw error
      }
    }
    self.bytes = bytes
    self.properties = reader.properties
    self.items = reader.items
    self.documents = documents
  }

  /// Returns the properties with a name, at any depth, in document order.
  package func properties(_ namespace: String, _ name: String) -> [XMPProperty] {
    properties.filter { $0.name == name && $0.namespace == namespace }
  }
}
