/// What a parser reads of a packet from an offset on: one document, because a packet may contain several.
package struct XMLPart: Equatable {
  /// How the reading ended.
  package enum Ending: Equatable {
    /// At the end of the root element, before this offset.
    case root(end: Int)
    /// At the end of the bytes, without an element.
    case noElement
    /// The bytes are not well-formed.
    case malformed(offset: Int, message: String, outsideRoot: Bool)
    /// The document contains something that is not allowed in XMP.
    case refused(XMPError)
  }

  /// The tags.
  package var events: [XMLEvent] = []
  /// The offsets of `<?xpacket end` before the root element.
  package var packetEnds: [Int] = []
  /// The number of elements and attributes.
  package var nameCount = 0
  /// How the reading ended.
  package var ending = Ending.noElement
}

extension XMLPart {
  /// Reads a packet from `start` on.
  init(_ bytes: [UInt8], from start: Int) throws(XMPError) {
    if let plain = PlainParser.read(bytes, from: start) {
      self = plain
    } else {
      self = try .parsed(bytes, from: start)
    }
  }

  /// Whether every notation of XML is read, because this build has expat.
  package static var hasExpat: Bool {
    #if canImport(CExpat)
    true
    #else
    false
    #endif
  }

  /// Reads a packet from `start` on with expat, whatever its notation is; without expat, refuses to.
  package static func parsed(_ bytes: [UInt8], from start: Int) throws(XMPError) -> XMLPart {
    #if canImport(CExpat)
    try ExpatSession().read(bytes, from: start)
    #else
    throw .unsupportedNotation(offset: start)
    #endif
  }
}
