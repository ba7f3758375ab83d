/// Why a packet could not be read; every offset counts bytes from the packet's start.
package enum XMPError: Error, Sendable, Hashable {
  /// The bytes are not well-formed XML; `message` is expat's own.
  case malformed(offset: Int, message: String)

  /// The packet is not in UTF-8; `name` is the encoding it declares or shows by its first bytes.
  case unsupportedEncoding(offset: Int, name: String)

  /// The packet has a document type declaration, which XMP does not use and attacks do.
  ///
  /// The offset is where the declaration's internal subset begins or where the declaration ends.
  case documentType(offset: Int)

  /// The packet goes beyond a limit that no honest packet comes near.
  case limitExceeded(Limit, offset: Int)

  /// What is limited, in order that hostile input costs little.
  package enum Limit: Sendable, Hashable {
    /// The packet's length, ``XMPPacket/maximumLength`` bytes.
    case length
    /// The nesting of elements, ``XMPPacket/maximumDepth`` levels.
    case depth
    /// The length of a namespace's URI, ``XMPPacket/maximumNamespaceLength`` bytes.
    case namespace
    /// The parts that are parsed one by one, ``XMPPacket/maximumPartCount``.
    case parts
    /// The steps of all paths together, ``XMPPacket/maxPathStepCount``.
    case pathSteps
  }
}

extension XMPError: CustomStringConvertible {
  /// What is wrong, in words for people.
  package var description: String {
    switch self {
    case .malformed(let offset, let message): "\(message) (at byte \(offset) of the packet)"
    case .unsupportedEncoding(_, let name): "it is written in \(name), only UTF-8 can be edited"
    case .documentType: "it has a document type declaration, which XMP does not use"
    case .limitExceeded(_, let offset):
      "it is too large or too deep (at byte \(offset) of the packet)"
    }
  }
}
