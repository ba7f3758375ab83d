#if Server
internal import HTTPTypes

/// What the service has, by path.
enum Resource: String {
  case page = "/"
  case style = "/page.css"
  case script = "/page.js"
  case icon = "/icon.svg"
  case normalize = "/normalize"
  case audit = "/audit"
  case health = "/healthz"
  case metrics = "/metrics"

  /// The name in metrics.
  var name: String { self == .page ? "page" : String(rawValue.dropFirst()) }

  var methods: [HTTPRequest.Method] {
    switch self {
    case .normalize, .audit: [.post]
    default: [.get, .head]
    }
  }

  /// The file that is sent, where the resource is one.
  var file: (content: [UInt8], type: String)? {
    switch self {
    case .page: (PackageResources.page_html, "text/html; charset=utf-8")
    case .style: (PackageResources.page_css, "text/css; charset=utf-8")
    case .script: (PackageResources.page_js, "text/javascript; charset=utf-8")
    case .icon: (PackageResources.icon_svg, "image/svg+xml")
    case .normalize, .audit, .health, .metrics: nil
    }
  }
}
#endif
