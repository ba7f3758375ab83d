internal import Upright

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
      meaning: meaning.text,
      fields: described.map {
        .init(
          name: $0.name,
          meaning: $0.meaning.text,
          values: $0.description.values,
          column: $0.description.column?.name
        )
      }
    )
  }

  /// The columns of these fields.
  var allColumns: [Column<Subject>] { described.compactMap(\.description.column) + columns }
}

extension ObjectDescription {
  /// All objects; each comes after those that have it as a field.
  static var all: [ObjectDescription] {
    JSONVerification.object.description.added(to: JSONReport.object.description.added(to: []))
  }

  /// Returns the objects with this one and those in it, unless they are there already.
  func added(to objects: [ObjectDescription]) -> [ObjectDescription] {
    guard !objects.contains(where: { $0.name == name }) else { return objects }
    return fields.reduce(objects + [self]) { objects, field in
      field.values.type().object?.added(to: objects) ?? objects
    }
  }

  /// The name of its type in other languages.
  var typeName: String {
    switch name {
    case "error": "Failure"
    case "loss": "TrimmedEdges"
    case "finding": "ReportedFinding"
    case "image": "ComparedImage"
    default: name.prefix(1).uppercased() + name.dropFirst()
    }
  }
}
