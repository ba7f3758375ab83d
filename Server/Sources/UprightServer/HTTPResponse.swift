internal import NIOCore
internal import NIOHTTP1

/// A response.
struct HTTPResponse: Sendable {
  var head: HTTPResponseHead
  let body: ByteBuffer

  /// - Parameters:
  ///   - status: The status.
  ///   - headers: The header fields, except the length of the body.
  ///   - body: The body.
  init(_ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: ByteBuffer) {
    head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    head.headers.add("Content-Length", "\(body.readableBytes)")
    self.body = body
  }

  /// The status code.
  var status: Int { Int(head.status.code) }

  /// The parts that are sent; `HEAD` requests no body.
  func parts(withBody: Bool) -> [HTTPServerResponsePart] {
    [.head(head)] + (withBody ? [.body(.byteBuffer(body))] : []) + [.end(nil)]
  }
}

extension HTTPHeaders {
  /// Adds a field that may have a value.
  mutating func add(_ name: String, _ value: String?) {
    if let value { add(name: name, value: value) }
  }
}
