#if Server
internal import HTTPTypes

/// What browsers are told about every response.
enum SecurityHeaders {
  /// Nothing but the page's own files, and pictures that it made itself.
  private static let page =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self';"
    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
    + " trusted-types 'none'"
  /// Photographs and reports load nothing and run nothing, wherever they are shown.
  private static let data = "default-src 'none'; frame-ancestors 'none'; sandbox"

  /// Adds the fields to a response.
  ///
  /// - Parameters:
  ///   - headers: The fields of the response.
  ///   - isPage: Whether the response is the page or one of its files.
  static func add(to headers: inout HTTPFields, isPage: Bool) {
    for (name, value) in fields { headers[name] = value }
    headers[.contentSecurityPolicy] = isPage ? page : data
  }

  private static let fields: [(HTTPField.Name, String)] = [
    // Nobody keeps a photograph, or a copy of the page that is older than the service.
    (.cacheControl, "no-store"),
    (.xContentTypeOptions, "nosniff"),
    (.custom("Referrer-Policy"), "no-referrer"),
    (.custom("Cross-Origin-Opener-Policy"), "same-origin"),
    (.custom("Cross-Origin-Resource-Policy"), "same-origin"),
    (.custom("Cross-Origin-Embedder-Policy"), "require-corp"),
    (.custom("X-Frame-Options"), "DENY"),
    (
      .custom("Permissions-Policy"),
      "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"
    ),
  ]
}

extension HTTPField.Name {
  /// A name that is right as it stands in the source.
  static func custom(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else {
      preconditionFailure("\(name) is not a field name")
    }
    return name
  }
}
#endif
