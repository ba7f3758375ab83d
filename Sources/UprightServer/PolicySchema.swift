#if Server
internal import Reports
internal import Upright

/// The values of a policy as a schema.
struct PolicySchema: JSONObject {
  var policy: Setting

  func writeFields(to json: inout JSONWriter) {
    json.field("description", policy.help)
    json.field("enum", policy.values.map(\.name))
    json.field("type", "string")
  }
}

/// A policy as a parameter of the query.
struct PolicyParameter: JSONObject {
  var policy: Setting

  func writeFields(to json: inout JSONWriter) {
    json.field("in", "query")
    json.field("name", policy.name)
    json.field("schema", PolicySchema(policy: policy))
  }
}
#endif
