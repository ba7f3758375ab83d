package import Upright

/// A change of a byte range, in reports.
package struct JSONChange: Hashable, Sendable {
  package var field: String
  package var offset: Int
  package var oldLength: Int
  package var newLength: Int
  package var old: String?
  package var new: String?

  package init(_ change: Change) {
    field = change.field.rawValue
    offset = change.range.lowerBound
    oldLength = change.range.count
    newLength = change.replacement.count
    old = change.old.isEmpty ? nil : change.old
    new = change.new.isEmpty ? nil : change.new
  }
}

extension JSONChange: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    json.field("field", field)
    json.field("new", new)
    json.field("newLength", newLength)
    json.field("offset", offset)
    json.field("old", old)
    json.field("oldLength", oldLength)
  }
}
