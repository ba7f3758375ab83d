internal import NIOHTTP1

/// The security header fields of every response.
enum SecurityHeaders {
  /// The content security policy of the page: only its own files, and images that it created itself.
  static let page =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self';"
    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
    + " trusted-types 'none'"
  /// The content security policy of other responses: photos and reports load and run nothing.
  private static let data = "default-src 'none'; frame-ancestors 'none'; sandbox"

  /// Adds the fields to a response; an existing policy is kept.
  static func add(to headers: inout HTTPHeaders) {
    for (name, value) in fields { headers.replaceOrAdd(name: name, value: value) }
    if !headers.contains(name: policy) { headers.add(name: policy, value: data) }
  }

  private static let policy = "Content-Security-Policy"

  private static let fields = [
    // Prevents caches from keeping photos or an outdated page.
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
