package import Upright

/// The settings with their values, for programs that document them or offer them to people.
package struct SettingsDescription: JSONObject {
  /// The settings.
  package var settings: [Setting]

  /// Creates the description of settings.
  package init(_ settings: [Setting]) { self.settings = settings }

  package func writeFields(to json: inout JSONWriter) {
    json.field("schema", "upright-description/1")
    json.field("settings", settings)
    json.field("version", Version.current)
  }
}

/// A setting and its default.
extension Setting: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    json.field("default", value(in: CallOptions()))
    json.field("group", group.rawValue)
    json.field("kind", kind.rawValue)
    json.field("name", name)
    json.field("question", question)
    json.field("takenBy", Takers.named.filter { takers.contains($0.takers) }.map { $0.name })
    json.field("text", prose.text)
    json.field("unit", unit)
    if !values.isEmpty { json.field("values", values) }
  }
}

/// A value and its effect.
extension Setting.Value: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    json.field("name", name)
    json.field("text", prose.text.isEmpty ? nil : prose.text)
  }
}
