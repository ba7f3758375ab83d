internal import Upright

extension Array where Element: FieldValue {
  package static var type: FieldType { .list(Element.type) }
}

extension String {
  package static var type: FieldType { .text }
}

extension Int {
  package static var type: FieldType { .integer(minimum: 0) }
}

extension Int64 {
  package static var type: FieldType { .integer(minimum: nil) }
}

extension Bool {
  package static var type: FieldType { .flag }
}

extension Hundredths {
  package static var type: FieldType { .number }
}

extension Choice {
  package static var type: FieldType { .choice(allCases.map(\.rawValue)) }
}

extension Reported {
  package static var type: FieldType { .object(object.description) }
}
