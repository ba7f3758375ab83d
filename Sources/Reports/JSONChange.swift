package import Upright

/// A change of some bytes, in reports and in records.
package struct JSONChange: Codable, Hashable, Sendable {
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
