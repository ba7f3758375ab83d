internal import NIOCore
internal import NIOHTTP1

/// A request, whose body is received when it is read.
final class HTTPRequest {
  typealias Parts = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator

  let head: HTTPRequestHead
  /// The path of the target.
  let path: String
  /// The parameters of the query.
  let parameters: [(name: String, value: String)]
  /// The client's end of the connection.
  let connection: Connection
  /// The values of the log line.
  let entry = RequestLog.Entry()

  private var parts: Parts
  private var isReceived = false

  /// - Parameters:
  ///   - head: The head.
  ///   - parts: What the client sends after the head.
  ///   - connection: The client's end of the connection.
  init(_ head: HTTPRequestHead, _ parts: Parts, _ connection: Connection) {
    self.head = head
    let path = head.uri.prefix { $0 != "?" }
    self.path = String(path)
    parameters = Self.parameters(head.uri[path.endIndex...].dropFirst().prefix { $0 != "#" })
    self.parts = parts
    self.connection = connection
  }

  /// Receives the next part of the body; nil at its end.
  ///
  /// - Throws: The error of the connection, which may end before the body.
  func receive() async throws -> ByteBuffer? {
    guard !isReceived else { return nil }
    switch try await parts.next() {
    case .body(let bytes): return bytes
    case .end:
      isReceived = true
      return nil
    case .head, nil: throw ChannelError.eof
    }
  }

  private static func parameters(_ query: Substring) -> [(name: String, value: String)] {
    var pairs = query.split(separator: "&", omittingEmptySubsequences: false)
    if pairs.last == "" { pairs.removeLast() }
    return pairs.map { pair in
      let name = pair.prefix { $0 != "=" }
      let value = pair[name.endIndex...].dropFirst()
      return (String(name), decoded(value) ?? String(value))
    }
  }

  /// Decodes percent-encoded text; nil if it is not valid.
  private static func decoded(_ text: Substring) -> String? {
    var rest = text.utf8.makeIterator()
    func digit() -> Int? {
      rest.next().flatMap { Character(Unicode.Scalar($0)).hexDigitValue }
    }
    var bytes: [UInt8] = []
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = digit(), let low = digit() else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension HTTPHeaders {
  /// Returns the values of a field as one; nil if there is none.
  ///
  /// Source: RFC 9110, section 5.3.
  func value(of name: String) -> String? {
    let values = self[name]
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}
