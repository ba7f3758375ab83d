internal import NIOCore
internal import NIOHTTP1

/// The hosts that the service accepts requests for, and whose pages may use it.
///
/// A web page can make a browser send requests to a service on its user's machine. `Origin` and `Sec-Fetch-Site`
/// identify the sender. For a page whose host name resolves to 127.0.0.1 (DNS rebinding), the browser takes the
/// service for the page's own origin, but `Host` contains the page's host name.
struct AllowedHosts: Sendable {
  private let names: Set<HostName>

  /// Allows the host that the service listens on, and those that the configuration allows.
  init(_ configuration: ServiceConfiguration) {
    names = Set(configuration.allowedHosts + [HostName(configuration.host)].compactMap { $0 })
  }

  /// Checks the sender and the host of a request.
  ///
  /// Clients of HTTP/1.0 need not send `Host`; browsers always do. Health is public, because load balancers request it
  /// by their own addresses. The local address of the connection is accepted in `Host`, because it cannot be rebound.
  ///
  /// - Throws: ``Problem``, if the request is for another host or may come from a page of another site.
  func check(_ request: HTTPRequest, for resource: Resource?) throws(Problem) {
    let headers = request.head.headers
    let arrival = request.connection.localAddress?.ipAddress.flatMap { HostName($0) }
    func allows(_ host: HostName?) -> Bool {
      guard let host else { return false }
      return host.isLoopback || host == arrival || names.contains(host)
    }
    if let authority = headers.first(name: "Host"), resource != .health {
      guard allows(HostName(authority: authority)) else {
        throw Problem(
          .misdirectedRequest,
          .host,
          "the service does not accept requests for this host; its configuration names those that it accepts"
        )
      }
    }
    if let origin = headers.value(of: "Origin"), !allows(HostName(origin: origin)) {
      throw Problem(
        .forbidden,
        .crossSite,
        "pages of this origin may not use the service; its configuration names the hosts whose pages may"
      )
    }
    guard Self.isOwn(headers) || Self.isVisit(request.head) else {
      throw Problem(.forbidden, .crossSite, "pages of other sites may not use this service")
    }
  }

  /// Whether the browser does not identify the request as cross-site.
  private static func isOwn(_ headers: HTTPHeaders) -> Bool {
    guard let site = headers.value(of: "Sec-Fetch-Site") else { return true }
    return site == "same-origin" || site == "none"
  }

  /// Whether the request follows a link to the service.
  private static func isVisit(_ head: HTTPRequestHead) -> Bool {
    head.headers.value(of: "Sec-Fetch-Mode") == "navigate"
      && (head.method == .GET || head.method == .HEAD)
  }
}
