internal import NIOCore
internal import NIOHTTP1
internal import Reports
internal import Upright

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
        .replacing(
          "\"{{references}}\"",
          with: policies { "{\"$ref\":\"#/components/parameters/\($0.name)\"}" }
        )
        .replacing(
          "\"{{fields}}\": {}",
          with: policies { "\"\($0.name)\":\($0.schema)" }
        )
        .replacing(
          "\"{{parameters}}\": {}",
          with: policies { "\"\($0.name)\":\($0.parameter)" }
        )
        .replacing("\"{{reports}}\": {}", with: JSONReport.schemas.dropFirst().dropLast())
    )
  }

  /// Returns the elements or members that describe the policies, in JSON.
  private static func policies(_ described: (Setting) -> String) -> String {
    Setting.policies.map(described).joined(separator: ",")
  }

  /// The page, with the questions that it asks about skipped photos.
  private static let pageContent: [UInt8] = {
    let questions = JSONWriter.text { json in
      for policy in Setting.policies.sorted(by: { $0.name < $1.name }) {
        json.field(policy.name, policy.question)
      }
    }
    let page = String(decoding: PackageResources.page_html, as: UTF8.self)
    return Array(page.replacing("{{questions}}", with: questions).utf8)
  }()

  var methods: [HTTPMethod] {
    switch self {
    case .normalize, .audit: [.POST]
    default: [.GET, .HEAD]
    }
  }

  /// The content and type of a resource that is a file.
  var file: (content: [UInt8], type: String)? {
    switch self {
    case .page: (Self.pageContent, "text/html; charset=utf-8")
    case .style: (PackageResources.page_css, "text/css; charset=utf-8")
    case .script: (PackageResources.page_js, "text/javascript; charset=utf-8")
    case .icon: (PackageResources.icon_svg, "image/svg+xml")
    case .normalize, .audit, .health, .metrics, .description: nil
    }
  }
}
