package import ImageFormats
package import ImageOrientation
package import Upright
package import Verification

/// A value of a field.
package protocol FieldValue: JSONWritable, DescribedValue, SendableMetatype {
  /// Whether it is a list without elements.
  var isEmptyList: Bool { get }
  /// The content of its cell in CSV.
  var cell: String { get }
}

extension FieldValue {
  package var isEmptyList: Bool { false }
}

/// A value out of a list, which JSON has as a text.
package protocol Choice: FieldValue, CaseIterable, RawRepresentable<String> {}

extension Choice {
  package func write(to json: inout JSONWriter) { rawValue.write(to: &json) }

  package var cell: String { rawValue }
}

extension Reported {
  package var cell: String { "" }
}

extension Array: FieldValue, DescribedValue where Element: FieldValue {
  package var isEmptyList: Bool { isEmpty }
  package var cell: String { map { $0.cell }.joined(separator: "; ") }
}

extension String: FieldValue {
  package var cell: String { self }
}

extension Int: FieldValue {
  package var cell: String { String(self) }
}

extension Int64: FieldValue {
  package var cell: String { String(self) }
}

extension Bool: FieldValue {
  package var cell: String { self ? "yes" : "no" }
}

extension Hundredths: FieldValue {
  package var cell: String { jsonLine }
}

extension Status: Choice {}
extension OrientationTransform: Choice {}
extension ImageFormat: Choice {}
extension EmbeddedImage.Role: Choice {}
extension EmbeddedImage.Disposition: Choice {}
extension RegisteredData.Effect: Choice {}
extension RegionDecision.Kind: Choice {}
extension RegionDecision.Disposition: Choice {}
extension RegionDecision.Frame: Choice {}
extension RegionDecision.Evidence: Choice {}
extension Rewrite.Verification: Choice {}
extension Verdict.Relation: Choice {}
extension Verdict.Unread.Kind: Choice {}
extension UprightError.File: Choice {}
extension Companion.Kind: Choice {}
extension Companion.Action: Choice {}
extension Companion.Cause: Choice {}
