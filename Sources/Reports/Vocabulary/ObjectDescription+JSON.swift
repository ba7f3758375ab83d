/// An object of the reports and its fields, for the description.
extension ObjectDescription: JSONObject {
  /// All objects; each comes after those that have it as a field.
  static var all: [ObjectDescription] {
    var found: [ObjectDescription] = []
    func add(_ object: ObjectDescription) {
      guard !found.contains(where: { $0.name == object.name }) else { return }
      found.append(object)
      for field in object.fields {
        if let part = field.values.type().object { add(part) }
      }
    }
    add(JSONReport.object.description)
    add(JSONVerification.object.description)
    return found
  }

  package func writeFields(to json: inout JSONWriter) {
    json.field("fields", fields)
    json.field("meaning", meaning)
    json.field("name", name)
  }
}

/// A field: its `type` is the name of an object or one of text, integer, number and flag; with `list`, it has several.
extension ObjectDescription.Field: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    let type = values.type()
    let limits = values.limits
    json.field("column", column)
    json.field("list", type.isList ? true : nil)
    json.field("maximum", limits.maximum)
    json.field("mayBeEmpty", values.mayBeEmpty ? true : nil)
    json.field("meaning", meaning)
    json.field("minimum", limits.minimum ?? type.minimum)
    json.field("name", name)
    json.field("pattern", limits.pattern)
    json.field("required", values.isRequired ? true : nil)
    json.field("type", type.name)
    json.field("values", limits.texts?() ?? type.texts)
  }
}

extension FieldType {
  fileprivate var isList: Bool {
    if case .list = self { true } else { false }
  }

  fileprivate var name: String {
    switch self {
    case .text, .choice: "text"
    case .integer: "integer"
    case .number: "number"
    case .flag: "flag"
    case .object(let object): object.name
    case .list(let element): element.name
    }
  }

  fileprivate var object: ObjectDescription? {
    switch self {
    case .object(let object): object
    case .list(let element): element.object
    case .text, .integer, .number, .flag, .choice: nil
    }
  }

  fileprivate var minimum: Int? {
    switch self {
    case .integer(let minimum): minimum
    case .list(let element): element.minimum
    case .text, .number, .flag, .choice, .object: nil
    }
  }

  fileprivate var texts: [String]? {
    switch self {
    case .choice(let texts): texts
    case .list(let element): element.texts
    case .text, .integer, .number, .flag, .object: nil
    }
  }
}
