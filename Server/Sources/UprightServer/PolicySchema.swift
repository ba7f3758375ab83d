internal import Reports
internal import Upright

extension Setting {
  /// The values of a policy as a schema.
  var schema: String { JSONWriter.text(writeSchema) }

  /// A policy as a parameter of the query.
  var parameter: String {
    JSONWriter.text { json in
      json.field("in", "query")
      json.field("name", name)
      json.field("schema", object: writeSchema)
    }
  }

  private func writeSchema(to json: inout JSONWriter) {
    json.field("description", help)
    if !values.isEmpty { json.field("enum", values.map(\.name)) }
    json.field("type", values.isEmpty ? "boolean" : "string")
  }
}
