#if hasFeature(Embedded)
/// What descriptions and CSV need of a field: nothing, because a module of WebAssembly has neither.
package struct FieldDescription<Subject>: Sendable {
  init<Value>(
    isRequired: Bool,
    mayBeEmpty: Bool,
    limits: FieldLimits,
    place: Int?,
    column: String,
    _ value: @escaping Field<Subject>.Reader<Value>
  ) {}
}

package protocol DescribedValue {}

package struct Column<Subject>: Sendable {
  init(_ place: Int, _ name: String, _ content: @escaping @Sendable (Subject) -> String) {}
}
#else
/// What descriptions and CSV need of a field.
package struct FieldDescription<Subject>: Sendable {
  /// What values it has.
  let values: FieldValues
  /// Its column of CSV.
  let column: Column<Subject>?

  init<Value: FieldValue>(
    isRequired: Bool,
    mayBeEmpty: Bool,
    limits: FieldLimits,
    place: Int?,
    column: String,
    _ value: @escaping Field<Subject>.Reader<Value>
  ) {
    values = FieldValues(
      type: { Value.type },
      isRequired: isRequired,
      mayBeEmpty: mayBeEmpty,
      limits: limits
    )
    self.column = place.map { place in
      Column(place, Column<Subject>.name(of: column)) {
        var subject = $0
        return value(&subject)?.cell ?? ""
      }
    }
  }
}

/// A value whose type is known to descriptions.
package protocol DescribedValue {
  /// The type.
  static var type: FieldType { get }
}

/// A column of CSV.
package struct Column<Subject>: Sendable {
  /// Its place, from 1.
  let place: Int
  /// The name.
  package let name: String
  /// Returns the content of its cell.
  package let content: @Sendable (Subject) -> String

  init(_ place: Int, _ name: String, _ content: @escaping @Sendable (Subject) -> String) {
    self.place = place
    self.name = name
    self.content = content
  }

  /// Returns the name of the column of a field: `motionPhoto` is in `motion_photo`.
  static func name(of field: String) -> String {
    var name = ""
    for character in field {
      name += character.isUppercase ? "_" + character.lowercased() : String(character)
    }
    return name
  }
}
#endif
