#if !hasFeature(Embedded)
internal import Upright

/// The settings with their values, for programs that document them or offer them to people.
package struct SettingsDescription: JSONObject {
  /// Creates the description.
  package init() {}

  package func writeFields(to json: inout JSONWriter) {
    json.field("schema", "upright-description/1")
    json.field("settings", DescribedSetting.all)
    json.field("version", Version.current)
  }
}

/// A setting and its default.
struct DescribedSetting: JSONObject {
  private var setting: Setting

  static var all: [DescribedSetting] { Setting.all.map { DescribedSetting(setting: $0) } }

  func writeFields(to json: inout JSONWriter) {
    json.field("default", setting.value(in: CallOptions()))
    json.field("group", setting.group.rawValue)
    json.field("kind", kind)
    json.field("name", setting.name)
    json.field("question", setting.question)
    json.field(
      "takenBy",
      Setting.Takers.named.filter { setting.takers.contains($0.takers) }.map { $0.name }
    )
    json.field("text", setting.text)
    json.field("unit", unit)
    if !setting.values.isEmpty {
      json.field("values", setting.values.map { DescribedValue(value: $0) })
    }
  }

  private var kind: String {
    switch setting.kind {
    case .choice: "choice"
    case .flag: "flag"
    case .number: "number"
    case .text: "text"
    }
  }

  private var unit: String? {
    if case .number(let unit) = setting.kind { unit } else { nil }
  }
}

/// A value and its effect.
private struct DescribedValue: JSONObject {
  var value: Setting.Value

  func writeFields(to json: inout JSONWriter) {
    json.field("name", value.name)
    json.field("text", value.text.isEmpty ? nil : value.text)
  }
}
#endif
