package import Upright
internal import Verification

/// The vocabulary for programs that document it or offer it to people: the settings, the objects of reports with
/// their fields, and identifiers.
package struct Description: JSONObject {
  /// The identifiers of errors, which several modules declare.
  package var errors: [Term]
  /// The settings, which several modules declare.
  package var settings: [Setting]

  /// Creates the description.
  package init(errors: [Term], settings: [Setting]) {
    (self.errors, self.settings) = (errors, settings)
  }

  package func writeFields(to json: inout JSONWriter) {
    json.field("columns", JSONReport.columns.map { $0.name })
    json.field(
      "dispositions",
      EmbeddedImage.Disposition.allCases.map { Term($0.rawValue, $0.meaning) }
    )
    json.field("errors", errors)
    json.field(
      "findings",
      Verdict.Finding.Code.Known.allCases.map { Term($0.rawValue, $0.meaning, of: "finding") }
        + Verdict.Finding.Code.KnownNote.allCases.map { Term($0.rawValue, $0.meaning, of: "note") }
    )
    json.field(
      "notes",
      Note.Code.Known.allCases.map {
        Term($0.rawValue, $0.meaning, of: $0.isWarning ? "warning" : nil)
      }
    )
    json.field("objects", ObjectDescription.all)
    json.field(
      "reasons",
      Reason.Code.Known.allCases.map { Term($0.rawValue, $0.meaning, of: $0.operation) }
    )
    json.field("roles", EmbeddedImage.Role.allCases.map { Term($0.rawValue, $0.meaning) })
    json.field("schema", "upright-description/1")
    json.field("settings", settings)
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
