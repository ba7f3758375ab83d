internal import FileBytes
package import Upright

/// A value that reports write as a JSON object, by the list of its fields.
package protocol Reported: FieldValue, JSONObject {
  /// The fields of the object: the only place that names them.
  static var object: Fields<Self> { get }
}

extension Reported {
  package func writeFields(to json: inout JSONWriter) {
    var subject = self
    for write in Self.object.writers { write(&subject, &json) }
  }
}

/// The fields of a JSON object.
package struct Fields<Subject>: Sendable {
  /// What writes each field, in the order of their names; a list of its own, because copying whole fields takes as long
  /// as writing them.
  let writers: [Field<Subject>.Writer]
  /// The name of the object in schemas.
  package let name: String
  /// What the object is, as a sentence.
  package let meaning: Prose
  /// The fields in the order in which they are described.
  package let described: [Field<Subject>]
  /// The columns of CSV that no field has alone.
  let columns: [Column<Subject>]

  /// Creates the list of an object.
  ///
  /// - Parameters:
  ///   - name: The name of the object in schemas.
  ///   - meaning: What the object is, as a sentence.
  ///   - columns: Columns of CSV that combine several fields.
  ///   - list: Its fields, in the order in which they are described.
  init(
    _ name: String,
    _ meaning: String,
    columns: [Column<Subject>] = [],
    @FieldList<Subject> _ list: () -> [Field<Subject>]
  ) {
    let fields = list()
    writers = fields.alphabetical { $0.name }.map { $0.write }
    self.name = name
    self.meaning = Prose(meaning)
    described = fields
    self.columns = columns
  }
}

/// A list of fields, of which each is compiled by itself: one array of all takes the compiler minutes.
@resultBuilder enum FieldList<Subject> {
  static func buildExpression(_ field: Field<Subject>) -> Field<Subject> { field }

  static func buildBlock(_ fields: Field<Subject>...) -> [Field<Subject>] { fields }
}

/// A field of a JSON object: its name, its type, what it means, and how it is read from what the object describes.
package struct Field<Subject>: Sendable {
  /// Returns the value of a field; nil if it is absent.
  ///
  /// The subject is `inout` because a subject by value, which may have hundreds of bytes, is copied for each field.
  typealias Reader<Value> = @Sendable (inout Subject) -> Value?
  /// Writes a field, unless it is absent.
  typealias Writer = @Sendable (inout Subject, inout JSONWriter) -> Void

  /// The name.
  package let name: String
  let write: Writer
  /// What it means, as a sentence.
  package let meaning: Prose
  /// What values it has, and its column of CSV.
  let description: FieldDescription<Subject>

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - meaning: What it means, as a sentence.
  ///   - required: Whether every object has it.
  ///   - mayBeEmpty: Whether a list without elements is written; by default it is absent.
  ///   - limits: Which values of its type it may have.
  ///   - csv: Its column of CSV, from 1.
  ///   - column: The name of the column, if it is not that of the field.
  ///   - value: Returns its value; nil if it is absent.
  init<Value: FieldValue>(
    _ name: String,
    _ meaning: String,
    required: Bool = false,
    mayBeEmpty: Bool = false,
    _ limits: FieldLimits = .none,
    csv: Int? = nil,
    column: String? = nil,
    _ value: @escaping Reader<Value>
  ) {
    self.name = name
    let key = Array(",\"\(name)\":".utf8)
    write = { subject, json in
      guard let value = value(&subject), mayBeEmpty || !value.isEmptyList else { return }
      json.begin(key)
      value.write(to: &json)
    }
    self.meaning = Prose(meaning)
    description = FieldDescription(
      isRequired: required,
      mayBeEmpty: mayBeEmpty,
      limits: limits,
      place: csv,
      column: column ?? name,
      value
    )
  }
}

/// Which values of its type a field may have.
package struct FieldLimits: Sendable {
  package var minimum: Int?
  package var maximum: Int?
  /// A regular expression of JSON Schema.
  package var pattern: String?
  /// The values of a text.
  package var texts: (@Sendable () -> [String])?

  /// All of them.
  static let none = FieldLimits()
  /// 1 and more.
  static let positive = FieldLimits(minimum: 1)
  /// 0 and more.
  static let natural = FieldLimits(minimum: 0)
  /// An identifier.
  static let identifier = FieldLimits(pattern: "^[a-z][a-z0-9]*(-[a-z0-9]+)*$")

  /// A range of numbers.
  static func range(_ range: ClosedRange<Int>) -> FieldLimits {
    FieldLimits(minimum: range.lowerBound, maximum: range.upperBound)
  }

  /// Texts that match a regular expression.
  static func matching(_ pattern: String) -> FieldLimits { FieldLimits(pattern: pattern) }

  /// One of some texts.
  static func one(of texts: @autoclosure @escaping @Sendable () -> [String]) -> FieldLimits {
    FieldLimits(texts: texts)
  }
}
