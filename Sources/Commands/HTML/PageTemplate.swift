internal import Hashing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The parts of a page around its data.
struct PageTemplate {
  /// What every page of a kind begins with.
  let signature: String
  /// Everything before the data.
  let opening: [UInt8]
  /// Everything after the data.
  let ending: [UInt8]

  static func signature(of kind: Page.Kind) -> String {
    "<!DOCTYPE html>\n<!-- upright \(kind.rawValue) -->\n"
  }

  init(_ kind: Page.Kind) {
    signature = Self.signature(of: kind)
    let style = PackageResources.page_css
    let script =
      PackageResources.model_js + PackageResources.overview_js + PackageResources.filter_js
      + PackageResources.gallery_js + PackageResources.marks_js + PackageResources.cards_js
    let policy =
      "default-src 'none'; img-src data: file: 'self'; style-src '\(Self.hash(style))'; "
      + "script-src '\(Self.hash(script))'; base-uri 'none'; form-action 'none'"
    let page = String(decoding: PackageResources.page_html, as: UTF8.self)
      .replacing("{{kind}}", with: kind.rawValue)
      .replacing("{{policy}}", with: policy)
      .replacing("{{style}}", with: String(decoding: style, as: UTF8.self))
      .replacing("{{script}}", with: String(decoding: script, as: UTF8.self))
    let parts = page.split(separator: "{{data}}", maxSplits: 1)
    precondition(page.hasPrefix(signature) && parts.count == 2, "the template has both")
    opening = Array(parts[0].utf8)
    ending = Array(parts[1].utf8)
  }

  /// A hash as Content Security Policy has it.
  private static func hash(_ bytes: [UInt8]) -> String {
    "sha256-" + Data(SHA256.digest(of: bytes)).base64EncodedString()
  }
}
