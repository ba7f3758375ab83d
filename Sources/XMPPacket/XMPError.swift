/// Why a packet could not be read.
///
/// Offsets are in bytes from the packet's start.
package enum XMPError: Error, Sendable, Hashable {
  /// The bytes are not well-formed XML; `message` is that of expat.
  case malformed(offset: Int, message: String)

  /// The packet is not in UTF-8; `name` is the encoding of its declaration or first bytes.
  case unsupportedEncoding(offset: Int, name: String)

  /// The packet is not in the plain notation, which is all that a build without expat reads; it may be well-formed.
  case unsupportedNotation(offset: Int)

  /// The packet has a document type declaration, which XMP does not use and attacks do.
  ///
  /// The offset is that of the declaration's internal subset, or of its end.
  case documentType(offset: Int)

  /// The packet exceeds a limit, which no valid packet approaches.
  case limitExceeded(Limit, offset: Int)

  /// Whether other readers may read the packet, so that what it states is unknown.
  package var isOfThisReader: Bool {
    switch self {
    case .limitExceeded, .unsupportedNotation: true
    case .malformed, .unsupportedEncoding, .documentType: false
    }
  }

  /// The limits, which bound the cost of hostile input.
  package enum Limit: Sendable, Hashable {
    /// The packet's length, ``XMPPacket/maximumLength`` bytes.
    case length
    /// The nesting of elements, ``XMPPacket/maximumDepth`` levels.
    case depth
    /// The length of a namespace's URI, ``XMPPacket/maximumNamespaceLength`` bytes.
    case namespace
    /// The length of a name, ``XMPPacket/maximumNameLength`` bytes.
    case nameLength
    /// The number of parts that are parsed separately, ``XMPPacket/maximumPartCount``.
    case parts
    /// The number of elements and attributes, ``XMPPacket/maximumNameCount``.
    case names
    /// The total number of path steps, ``XMPPacket/maximumPathStepCount(length:)``.
    case pathSteps
  }
}

extension XMPError: CustomStringConvertible {
  /// The error as text for people.
  package var description: String {
    switch self {
    case .malformed(let offset, let message): "\(message) (at byte \(offset) of the packet)"
    case .unsupportedEncoding(_, let name): "it is written in \(name), only UTF-8 can be edited"
    case .unsupportedNotation(let offset):
      "it has a notation of XML that this build does not read (at byte \(offset) of the packet)"
    case .documentType: "it has a document type declaration, which XMP does not use"
    case .limitExceeded(_, let offset):
      "it is too large or too deep (at byte \(offset) of the packet)"
    }
  }
}
