/// A new value of a property, and its field in reports.
package struct XMPValue: Sendable, Hashable {
  package var property: XMPProperty
  package var value: String
  package var field: String

  package init(_ property: XMPProperty, _ value: String, field: String) {
    (self.property, self.value, self.field) = (property, value, field)
  }
}
