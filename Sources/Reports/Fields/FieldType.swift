#if !hasFeature(Embedded)
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

/// An object of the reports as data.
package struct ObjectDescription: Sendable {
  package struct Field: Sendable {
    package let name: String
    package let meaning: String
    package let values: FieldValues
    /// The name of its column in CSV.
    package let column: String?
  }

  package let name: String
  package let meaning: String
  package let fields: [Field]
}

extension Fields {
  /// The list as data.
  package var description: ObjectDescription {
    ObjectDescription(
      name: name,
      meaning: meaning,
      fields: described.map {
        .init(name: $0.name, meaning: $0.meaning, values: $0.values, column: $0.column?.name)
      }
    )
  }
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

extension Fields {
  /// The columns of these fields.
  var allColumns: [Column<Subject>] { described.compactMap(\.column) + columns }
}
#else
/// Columns of CSV, which only the command writes.
package struct Column<Subject>: Sendable {
  init(_ place: Int, _ name: String, _ content: @escaping @Sendable (Subject) -> String) {}
}
#endif
