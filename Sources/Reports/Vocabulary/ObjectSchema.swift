/// The schema of an object of the reports, in JSON Schema 2020-12.
///
/// It allows further fields, because later versions may have them. Its members are in the order in which people read schemas.
struct ObjectSchema: JSONObject {
  let object: ObjectDescription
  /// Returns the reference to the schema of an object.
  let reference: (ObjectDescription) -> String

  func writeFields(to json: inout JSONWriter) {
    json.field("type", "object")
    json.field("description", object.meaning)
    json.field("properties") { json in
      for field in object.fields { json.field(field.name) { write(field, to: &$0) } }
    }
    let required = object.fields.filter(\.values.isRequired).map(\.name)
    json.field("required", required.isEmpty ? nil : required)
    if object.name == "remedy" {
      json.field("dependentRequired", ["policy": ["value"], "value": ["policy"]])
      json.field("oneOf", ["policy", "limit", "action"].map { ["required": [$0]] })
    }
  }

  private func write(_ field: ObjectDescription.Field, to json: inout JSONWriter) {
    let type = field.values.type()
    if type.isList {
      json.field("type", "array")
      json.field("minItems", field.values.mayBeEmpty ? nil : 1)
      json.field("items") { write(type, field.values.limits, to: &$0) }
    } else {
      write(type, field.values.limits, to: &json)
    }
    json.field("description", field.meaning.filter { $0 != "`" })
  }

  /// Writes the schema of a value, or of an element of a list.
  private func write(_ type: FieldType, _ limits: FieldLimits, to json: inout JSONWriter) {
    if let object = type.object {
      json.field("$ref", reference(object))
    } else if let texts = limits.texts?() ?? type.texts {
      if texts.count == 1 { json.field("const", texts[0]) } else { json.field("enum", texts) }
    } else {
      json.field("type", type.schemaName)
      json.field("minimum", limits.minimum ?? type.minimum)
      json.field("maximum", limits.maximum)
      json.field("pattern", limits.pattern)
    }
  }
}

extension FieldType {
  /// The name of the type in JSON Schema, of values that are neither objects nor one of some texts.
  fileprivate var schemaName: String {
    switch self {
    case .text, .choice: "string"
    case .integer: "integer"
    case .number: "number"
    case .flag: "boolean"
    case .object: "object"
    case .list(let element): element.schemaName
    }
  }
}

extension JSONReport {
  /// The schemas of ``json`` and of the objects in it, in JSON Schema 2020-12: an object with a member for each, such as `Report` and
  /// `Reason`.
  ///
  /// They are the schemas of the components in an OpenAPI 3.1 document, and refer to each other as such: a service that returns
  /// reports describes them with `#/components/schemas/Report`.
  public static var schemas: String {
    JSONWriter.text { json in
      for object in object.description.added(to: []) {
        json.field(
          object.typeName,
          ObjectSchema(object: object) { "#/components/schemas/\($0.typeName)" }
        )
      }
    }
  }
}
