/// An object of the reports for the description: its name, the name of its type in other languages, its fields and its schema.
extension ObjectDescription: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    json.field("fields", fields)
    json.field("meaning", meaning)
    json.field("name", name)
    json.field("schema", ObjectSchema(object: self) { "#/$defs/\($0.name)" })
    json.field("type", typeName)
  }
}

/// A field: its `type` is the name of an object or one of text, integer, number and flag; with `list`, it has several.
extension ObjectDescription.Field: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    let type = values.type()
    json.field("column", column)
    json.field("list", type.isList ? true : nil)
    json.field("meaning", meaning)
    json.field("name", name)
    json.field("required", values.isRequired ? true : nil)
    json.field("type", type.name)
    json.field("values", values.limits.texts?() ?? type.texts)
  }
}
