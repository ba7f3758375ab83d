/// The type of a field.
package indirect enum FieldType: Sendable {
  case text
  case integer(minimum: Int?)
  case number
  case flag
  /// One of some texts.
  case choice([String])
  case object(ObjectDescription)
  case list(FieldType)
}

/// What values a field has.
package struct FieldValues: Sendable {
  /// Returns the type: a closure, because only a description needs it.
  package let type: @Sendable () -> FieldType
  package let isRequired: Bool
  package let mayBeEmpty: Bool
  package let limits: FieldLimits
}

extension FieldType {
  var isList: Bool {
    if case .list = self { true } else { false }
  }

  /// The name of the type, or of that of the elements of a list.
  var name: String {
    switch self {
    case .text, .choice: "text"
    case .integer: "integer"
    case .number: "number"
    case .flag: "flag"
    case .object(let object): object.name
    case .list(let element): element.name
    }
  }

  /// The object that a value, or an element of a list, is.
  var object: ObjectDescription? {
    switch self {
    case .object(let object): object
    case .list(let element): element.object
    case .text, .integer, .number, .flag, .choice: nil
    }
  }

  var minimum: Int? {
    switch self {
    case .integer(let minimum): minimum
    case .list(let element): element.minimum
    case .text, .number, .flag, .choice, .object: nil
    }
  }

  /// The texts that a value, or an element of a list, can be.
  var texts: [String]? {
    switch self {
    case .choice(let texts): texts
    case .list(let element): element.texts
    case .text, .integer, .number, .flag, .object: nil
    }
  }
}
