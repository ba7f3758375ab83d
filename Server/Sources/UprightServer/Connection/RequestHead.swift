internal import NIOHTTP1

extension HTTPRequestHead {
  /// Returns the head for the service: its target is a path, and its host is the effective one.
  ///
  /// - Throws: ``Problem``, if the host is ambiguous, or if two servers could disagree on the end of the body.
  ///
  /// Source: RFC 9112, sections 3.2, 6.1 and 11.2.
  func checked() throws(Problem) -> HTTPRequestHead {
    var head = self
    let hosts = headers["Host"]
    guard hosts.count <= 1, hosts.count == 1 || version == .http1_0 else {
      throw Problem(
        malformed: "the request has \(hosts.isEmpty ? "no field" : "more than one field") Host"
      )
    }
    if let authority = try head.takeAuthority() {
      head.headers.replaceOrAdd(name: "Host", value: authority)
    }
    guard head.headers["Host"].allSatisfy({ HostName(authority: $0) != nil }) else {
      throw Problem(malformed: "the host of the request is not valid")
    }
    try checkCodings()
    return head
  }

  /// Removes the authority from a target that is an absolute URI, and returns it.
  private mutating func takeAuthority() throws(Problem) -> String? {
    if uri.hasPrefix("/") || method == .CONNECT || (method == .OPTIONS && uri == "*") { return nil }
    for scheme in ["http://", "https://"] where uri.lowercased().hasPrefix(scheme) {
      let rest = uri.dropFirst(scheme.count)
      let path = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
      uri = (rest[path...].hasPrefix("/") ? "" : "/") + rest[path...]
      return String(rest[..<path])
    }
    throw Problem(malformed: "the target of the request is neither a path nor an http URI")
  }

  private func checkCodings() throws(Problem) {
    let codings = headers["Transfer-Encoding"]
    guard !codings.isEmpty else { return }
    guard version != .http1_0, !headers.contains(name: "Content-Length") else {
      throw Problem(malformed: "the length of the body is ambiguous")
    }
    guard codings.count == 1, codings[0].lowercased() == "chunked" else {
      throw Problem(.notImplemented, .transferCoding, "the transfer coding must be chunked")
    }
  }
}

extension Problem {
  /// The problem of a request that is not HTTP.
  init(malformed detail: String) { self.init(.badRequest, .malformedRequest, detail) }

  /// Creates the problem of a request that cannot be parsed.
  init(_ error: HTTPParserError) {
    switch error {
    case .headerOverflow:
      self.init(
        .requestHeaderFieldsTooLarge,
        .headerTooLarge,
        "the head of the request is too large"
      )
    case .invalidVersion:
      self.init(
        .httpVersionNotSupported,
        .httpVersion,
        "the service supports HTTP/1.0 and HTTP/1.1"
      )
    default: self.init(malformed: "the request is not HTTP")
    }
  }
}
