#if !hasFeature(Embedded)
internal import Upright

/// The vocabulary for programs that document it or offer it to people: the settings, the objects of reports with
/// their fields, and identifiers.
package struct Description: JSONObject {
  /// The identifiers of errors, which several modules declare.
  package var errors: [Term]

  /// Creates the description.
  package init(errors: [Term]) { self.errors = errors }

  package func writeFields(to json: inout JSONWriter) {
    json.field("columns", JSONReport.columns.map { $0.name })
    json.field(
      "dispositions",
      EmbeddedImage.Disposition.allCases.map { Term($0.rawValue, $0.meaning) }
    )
    json.field("errors", errors)
    json.field("notes", Note.Code.Known.allCases.map { Term($0.rawValue, $0.meaning) })
    json.field("objects", ObjectDescription.all)
    json.field(
      "reasons",
      Reason.Code.Known.allCases.map { Term($0.rawValue, $0.meaning, of: $0.operation) }
    )
    json.field("roles", EmbeddedImage.Role.allCases.map { Term($0.rawValue, $0.meaning) })
    json.field("schema", "upright-description/1")
    json.field("settings", Setting.all)
    json.field("statuses", Status.allCases.map { Term($0.rawValue, $0.meaning) })
    json.field("version", Version.current)
  }
}

extension Description {
  /// An identifier and what it means.
  package struct Term: JSONObject {
    var name: String
    var meaning: String
    /// Where it occurs, if that is not everywhere.
    var place: String?

    package init(_ name: String, _ meaning: String, of place: String? = nil) {
      self.name = name
      self.meaning = meaning
      self.place = place
    }

    package func writeFields(to json: inout JSONWriter) {
      json.field("meaning", meaning)
      json.field("name", name)
      json.field("place", place)
    }
  }
}
#endif
