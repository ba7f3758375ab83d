#if Server
internal import NIOHTTP1

/// What browsers are told about every response.
enum SecurityHeaders {
  /// The policy of the page: nothing but its own files, and images that it made itself.
  static let page =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self';"
    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
    + " trusted-types 'none'"
  /// The policy of all else: photographs and reports load nothing and run nothing, wherever they are shown.
  private static let data = "default-src 'none'; frame-ancestors 'none'; sandbox"

  /// Adds the fields to a response; one that has a policy keeps it.
  static func add(to headers: inout HTTPHeaders) {
    for (name, value) in fields { headers.replaceOrAdd(name: name, value: value) }
    if !headers.contains(name: policy) { headers.add(name: policy, value: data) }
  }

  private static let policy = "Content-Security-Policy"

  private static let fields = [
    // Nobody keeps a photograph, or a copy of the page that is older than the service.
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("X-Frame-Options", "DENY"),
    (
      "Permissions-Policy",
      "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"
    ),
  ]
}
#endif
