package import ImageOrientation
package import Upright

/// A value of a field.
package protocol FieldValue: JSONWritable, SendableMetatype {
  /// Whether it is a list without elements.
  var isEmptyList: Bool { get }
  #if !hasFeature(Embedded)
  /// The type.
  static var type: FieldType { get }
  /// The content of its cell in CSV.
  var cell: String { get }
  #endif
}

extension FieldValue {
  package var isEmptyList: Bool { false }
}

/// A value out of a list, which JSON has as a text.
package protocol Choice: FieldValue, CaseIterable, RawRepresentable<String> {}

extension Choice {
  package func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension Array: FieldValue where Element: FieldValue {
  package var isEmptyList: Bool { isEmpty }
}

extension String: FieldValue {}
extension Int: FieldValue {}
extension Int64: FieldValue {}
extension Bool: FieldValue {}
extension Hundredths: FieldValue {}

extension Status: Choice {}
extension OrientationTransform: Choice {}
extension EmbeddedImage.Role: Choice {}
extension EmbeddedImage.Disposition: Choice {}
extension RegisteredData.Effect: Choice {}
extension RegionDecision.Kind: Choice {}
extension RegionDecision.Disposition: Choice {}
extension RegionDecision.Frame: Choice {}
extension RegionDecision.Evidence: Choice {}
extension Rewrite.Verification: Choice {}
extension Verdict.Relation: Choice {}
extension Verifier.File: Choice {}

#if !hasFeature(Embedded)
extension Array where Element: FieldValue {
  package static var type: FieldType { .list(Element.type) }
  package var cell: String { map(\.cell).joined(separator: "; ") }
}

extension String {
  package static var type: FieldType { .text }
  package var cell: String { self }
}

extension Int {
  package static var type: FieldType { .integer(minimum: 0) }
  package var cell: String { String(self) }
}

extension Int64 {
  package static var type: FieldType { .integer(minimum: nil) }
  package var cell: String { String(self) }
}

extension Bool {
  package static var type: FieldType { .flag }
  package var cell: String { self ? "yes" : "no" }
}

extension Hundredths {
  package static var type: FieldType { .number }
  package var cell: String { jsonLine }
}

extension Choice {
  package static var type: FieldType { .choice(allCases.map(\.rawValue)) }
  package var cell: String { rawValue }
}

extension Reported {
  package static var type: FieldType { .object(object.description) }
  package var cell: String { "" }
}
#endif
