extension XMPPacket {
  /// The maximum length of a packet, in bytes; an APP1 segment has up to 64 KiB, a sidecar may have more.
  package static let maximumLength = 16 << 20

  /// The maximum nesting of elements.
  package static let maximumDepth = 256

  /// The maximum length of a namespace's URI, in bytes; every name contains a copy of it.
  package static let maximumNamespaceLength = 256

  /// The maximum length of a name without its prefix, in bytes: the paths of properties are compared.
  package static let maximumNameLength = 256

  /// The maximum number of parts of a packet that are parsed separately.
  package static let maximumPartCount = 64

  /// The maximum number of elements and attributes of a packet.
  package static let maximumNameCount = 1 << 19

  /// Returns the maximum total number of steps in the paths of all elements of a packet with as many bytes.
  package static func maximumPathStepCount(length: Int) -> Int {
    min(max(1 << 12, 2 * length), 1 << 20)
  }

  /// Rejects UTF-16 and UTF-32, which are recognized by the first bytes of each part.
  static func checkEncoding(of bytes: [UInt8], at start: Int = 0) throws(XMPError) {
    let signatures: [(name: String, bytes: [UInt8])] = [
      ("UTF-32", [0, 0, 0xFE, 0xFF]), ("UTF-32", [0xFF, 0xFE, 0, 0]),
      ("UTF-32", [0, 0, 0, 0x3C]), ("UTF-32", [0x3C, 0, 0, 0]),
      ("UTF-16", [0xFE, 0xFF]), ("UTF-16", [0xFF, 0xFE]),
      ("UTF-16", [0, 0x3C, 0]), ("UTF-16", [0x3C, 0]),
    ]
    let beginning = bytes[start...]
    for signature in signatures where beginning.starts(with: signature.bytes) {
      throw .unsupportedEncoding(offset: start, name: signature.name)
    }
  }

  /// Rejects input that would take the parser disproportionate time, before parsing.
  static func checkLimits(of bytes: [UInt8]) throws(XMPError) {
    guard bytes.count <= maximumLength else {
      throw .limitExceeded(.length, offset: maximumLength)
    }
    let bytes = bytes.span
    var position = 0
    func skip(while condition: (UInt8) -> Bool) {
      while position < bytes.count, condition(bytes[position]) { position += 1 }
    }
    while let start = declaration(in: bytes, from: position) {
      position = start
      skip { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") }
      skip { $0 == UInt8(ascii: "=") || isXMLSpace($0) }
      guard position < bytes.count else { return }
      let quote = bytes[position]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
      position += 1
      let value = position
      skip { $0 != quote }
      guard position - value <= maximumNamespaceLength else {
        throw .limitExceeded(.namespace, offset: start)
      }
      // Text may look like a declaration and contain another one, so values are searched, too.
      position = value
    }
  }

  /// Returns the offset of the first `xmlns` from `position` on.
  private static func declaration(in bytes: Span<UInt8>, from position: Int) -> Int? {
    var last = position + 4
    while last < bytes.count {
      // The letters of the mark differ, so each is in one place of it, and five bytes are skipped at any other.
      switch bytes[last] {
      case UInt8(ascii: "x"): last += 4
      case UInt8(ascii: "m"): last += 3
      case UInt8(ascii: "l"): last += 2
      case UInt8(ascii: "n"): last += 1
      case UInt8(ascii: "s")
      where bytes[last - 1] == UInt8(ascii: "n") && bytes[last - 2] == UInt8(ascii: "l")
        && bytes[last - 3] == UInt8(ascii: "m") && bytes[last - 4] == UInt8(ascii: "x"):
        return last - 4
      default: last += 5
      }
    }
    return nil
  }
}
