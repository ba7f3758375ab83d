internal import NIOCore

/// A host name or IP address in canonical form, so that equal hosts compare equal.
public struct HostName: Hashable, Sendable {
  /// The name in lower case without a final dot, or the address as formatted by `inet_ntop`.
  public let text: String
  /// Whether it is `localhost` or a loopback address, 127.0.0.0/8 or ::1.
  public let isLoopback: Bool

  /// Parses a name or an address; an IPv6 address may be in brackets.
  ///
  /// - Returns: nil for anything else, such as a name with a port.
  public init?(_ text: String) {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let bare = isBracketed ? String(text.dropFirst().dropLast()) : text
    if let address = Self.address(bare) {
      guard !isBracketed || bare.contains(":") else { return nil }
      self.text = address
      isLoopback = address.hasPrefix("127.") || address == "::1"
    } else {
      let name = text.hasSuffix(".") ? text.dropLast() : text[...]
      guard !name.isEmpty, name.utf8.count <= 253, name.utf8.allSatisfy(Self.isPartOfName) else {
        return nil
      }
      self.text = name.lowercased()
      isLoopback = self.text == "localhost"
    }
  }

  /// Parses the host of an authority, as in the field `Host`: a name or an address, then perhaps a port.
  ///
  /// Source: RFC 9110, section 7.2.
  init?(authority: some StringProtocol) {
    let colon = authority.lastIndex(of: ":") ?? authority.endIndex
    // The colons of an address are in brackets.
    let end = authority[colon...].contains("]") ? authority.endIndex : colon
    let (host, port) = (authority[..<end], authority[end...].dropFirst())
    guard !host.contains(":") || host.hasPrefix("["),
      port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), port.isEmpty || UInt16(port) != nil
    else { return nil }
    self.init(String(host))
  }

  /// Parses the host of a web page's origin, as in the field `Origin`.
  ///
  /// - Returns: nil for origins without a host, such as `null`.
  init?(origin: String) {
    let origin = origin.lowercased()
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      self.init(authority: origin.dropFirst(scheme.count))
      return
    }
    return nil
  }

  /// Returns the canonical form of an address, or nil if the text is not an address.
  private static func address(_ text: String) -> String? {
    guard !text.contains("%"), let address = try? SocketAddress(ipAddress: text, port: 0).ipAddress
    else { return nil }
    let mapped = "::ffff:"
    return address.hasPrefix(mapped) && address.contains(".")
      ? String(address.dropFirst(mapped.count)) : address
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
