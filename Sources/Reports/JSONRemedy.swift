package import Upright

/// What changes what a reason or an error reports: one of `policy` with a `value`, `limit` and `action`.
package struct JSONRemedy: JSONObject {
  package var policy: String?
  package var value: String?
  package var limit: String?
  package var action: String?
  package var text: String?

  /// Creates the object of a remedy.
  package init(_ remedy: Remedy) {
    switch remedy.step {
    case .policy(let name, let value): (policy, self.value) = (name, value)
    case .limit(let name): limit = name
    case .action(let action): self.action = action.rawValue
    }
    if !remedy.text.isEmpty { text = remedy.text }
  }

  /// Returns the objects of remedies; nil if there are none.
  package static func list(_ remedies: [Remedy]) -> [JSONRemedy]? {
    remedies.isEmpty ? nil : remedies.map { JSONRemedy($0) }
  }

  package func writeFields(to json: inout JSONWriter) {
    json.field("action", action)
    json.field("limit", limit)
    json.field("policy", policy)
    json.field("text", text)
    json.field("value", value)
  }
}
