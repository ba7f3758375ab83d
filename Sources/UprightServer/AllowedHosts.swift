#if Server
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The hosts that the service answers for, and whose pages may use it.
///
/// A web page can make a browser send requests to a service on its user's machine. `Origin` and `Sec-Fetch-Site`
/// tell who sent them. A page whose name the attacker lets point to 127.0.0.1 (DNS rebinding) is of the same
/// origin as the service to the browser, but its name is in `Host`.
struct AllowedHosts: Sendable {
  private let names: Set<HostName>

  /// Allows the host that the service is told to listen at, and those that are allowed by name.
  init(_ configuration: ServiceConfiguration) {
    names = Set(configuration.allowedHosts + [HostName(configuration.host)].compactMap { $0 })
  }

  /// Checks who sent a request, and to whom.
  ///
  /// - Parameters:
  ///   - request: The request. Clients of HTTP/1.0 need not send `Host`; browsers always do.
  ///   - resource: What it asks for. Health is no secret: load balancers ask for it by addresses of their own.
  ///   - address: The address at which the connection arrived; in `Host` it is no name that could be rebound.
  /// - Throws: ``Problem``, where the request is for another host or may be of another site's page.
  func check(
    _ request: Request,
    for resource: Resource?,
    at address: SocketAddress?
  ) throws(Problem) {
    let arrival = address?.ipAddress.flatMap { HostName($0) }
    func allows(_ host: HostName?) -> Bool {
      guard let host else { return false }
      return host.isLoopback || host == arrival || names.contains(host)
    }
    if let authority = request.head.authority, resource != .health {
      guard allows(HostName(authority: authority)) else {
        throw Problem(
          .misdirectedRequest,
          "host",
          "the service does not answer for this host; its option --allowed-host allows one"
        )
      }
    }
    if let origin = request.headers[.origin], !allows(HostName(origin: origin)) {
      throw Problem(
        .forbidden,
        "cross-site",
        "pages of this origin may not use the service; its option --allowed-host allows a host"
      )
    }
    guard Self.isOwn(request) || Self.isVisit(request) else {
      throw Problem(.forbidden, "cross-site", "pages of other sites may not use this service")
    }
  }

  /// Whether no browser says that the request is for another site.
  private static func isOwn(_ request: Request) -> Bool {
    guard let site = request.headers[.custom("Sec-Fetch-Site")] else { return true }
    return site == "same-origin" || site == "none"
  }

  /// Whether somebody follows a link to the service.
  private static func isVisit(_ request: Request) -> Bool {
    request.headers[.custom("Sec-Fetch-Mode")] == "navigate"
      && (request.method == .get || request.method == .head)
  }
}
#endif
