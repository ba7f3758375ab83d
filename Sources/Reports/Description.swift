#if !hasFeature(Embedded)
internal import Upright

/// The vocabulary for programs that document it or offer it to people: the settings, and the objects of
/// reports with their fields.
package struct Description: JSONObject {
  /// Creates the description.
  package init() {}

  package func writeFields(to json: inout JSONWriter) {
    json.field("columns", JSONReport.columns.map { $0.name })
    json.field("objects", DescribedObject.all)
    json.field("schema", "upright-description/1")
    json.field("settings", DescribedSetting.all)
    json.field("statuses", Status.allCases.map { Term(name: $0.rawValue, meaning: $0.meaning) })
    json.field("version", Version.current)
  }
}

/// An identifier and what it means.
struct Term: JSONObject {
  var name: String
  var meaning: String

  func writeFields(to json: inout JSONWriter) {
    json.field("meaning", meaning)
    json.field("name", name)
  }
}
#endif
