#if Server
internal import NIOHTTP1

/// A request and its answer: what the answer depends on, and what is kept until it is sent.
struct Exchange {
  /// Whether the connection may serve another request after this one.
  let isPersistent: Bool
  /// Whether the client waits to be told to send its body.
  var awaitsContinue: Bool
  /// The memory of the body, which counts until the answer is sent.
  var memory: BodyMemory.Share?
  /// Whether the client speaks HTTP/1.0.
  private let isOld: Bool

  /// - Parameter head: The head as it came; nil of a request that the service does not see.
  init(_ head: HTTPRequestHead?) {
    isPersistent = head?.isPersistent ?? false
    isOld = head?.version == .http1_0
    awaitsContinue =
      !isOld && head?.headers["Expect"].contains { $0.lowercased() == "100-continue" } ?? false
  }

  /// Completes the head of the answer with the fields of every answer and of its connection.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - isEarly: Whether it comes before the end of the body.
  /// - Returns: Whether it is the last answer of the connection.
  func complete(_ head: inout HTTPResponseHead, isEarly: Bool) -> Bool {
    SecurityHeaders.add(to: &head.headers)
    var isLast = isEarly || !isPersistent
    if isOld, !head.headers.contains(name: "Content-Length") {
      // The encoder would send chunks, which such a client does not know.
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
#endif
