#if Server
internal import HTTPTypes
internal import NIOCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The resources of the service, by path.
enum Resource: String {
  case page = "/"
  case style = "/page.css"
  case script = "/page.js"
  case icon = "/icon.svg"
  case normalize = "/normalize"
  case audit = "/audit"
  case health = "/healthz"
  case metrics = "/metrics"
  case description = "/openapi.json"

  /// The name in metrics and in the log.
  var name: String { self == .page ? "page" : String(rawValue.dropFirst()) }

  /// The description of the service in OpenAPI 3.1.
  static func description(version: String) -> ByteBuffer {
    ByteBuffer(
      string: String(decoding: PackageResources.openapi_json, as: UTF8.self)
        .replacing("{{version}}", with: version)
    )
  }

  var methods: [HTTPRequest.Method] {
    switch self {
    case .normalize, .audit: [.post]
    default: [.get, .head]
    }
  }

  /// The content and type of a resource that is a file.
  var file: (content: [UInt8], type: String)? {
    switch self {
    case .page: (PackageResources.page_html, "text/html; charset=utf-8")
    case .style: (PackageResources.page_css, "text/css; charset=utf-8")
    case .script: (PackageResources.page_js, "text/javascript; charset=utf-8")
    case .icon: (PackageResources.icon_svg, "image/svg+xml")
    case .normalize, .audit, .health, .metrics, .description: nil
    }
  }
}
#endif
