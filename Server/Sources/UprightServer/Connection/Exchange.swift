internal import NIOHTTP1

/// A request and its response: what the response depends on, and what is kept until it is sent.
struct Exchange {
  /// Whether the connection may serve another request after this one.
  let isPersistent: Bool
  /// Whether the client waits for `100 Continue`.
  var awaitsContinue: Bool
  /// The memory of the body, which is counted until the response is sent.
  var memory: BodyMemory.Share?
  /// Whether the client speaks HTTP/1.0.
  private let isOld: Bool

  init(_ head: HTTPRequestHead?) {
    isPersistent = head?.isPersistent ?? false
    isOld = head?.version == .http1_0
    awaitsContinue =
      !isOld && head?.headers["Expect"].contains { $0.lowercased() == "100-continue" } ?? false
  }

  /// Completes the head of the response with the fields of all responses and of its connection.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - isLast: Whether the connection ends after it, whatever the client requests.
  /// - Returns: Whether it is the last response of the connection.
  func complete(_ head: inout HTTPResponseHead, isLast: Bool) -> Bool {
    head.headers.add(name: "Date", value: HTTPDate.now)
    SecurityHeaders.add(to: &head.headers)
    var isLast = isLast || !isPersistent
    if isOld, !head.headers.contains(name: "Content-Length") {
      // The encoder would send chunks, which HTTP/1.0 clients do not support.
      head.version = .http1_0
      isLast = true
    }
    if isLast {
      head.headers.replaceOrAdd(name: "Connection", value: "close")
    } else if isOld {
      head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
    }
    return isLast
  }
}

extension HTTPRequestHead {
  /// Whether the connection may serve another request after this one.
  ///
  /// The decoder reads nothing after an offer of another protocol.
  ///
  /// Source: RFC 9112, section 9.3.
  fileprivate var isPersistent: Bool {
    let options = headers[canonicalForm: "Connection"].map { $0.lowercased() }
    if method == .CONNECT || options.contains("close") || options.contains("upgrade") {
      return false
    }
    return version != .http1_0 || options.contains("keep-alive")
  }
}
