internal import ImageOrientation
internal import Reports
internal import Upright

/// One row of CSV (RFC 4180) for a ``FileReport``, documented in `docs/output.md`.
///
/// File names and tags come from unknown sources: the fields are escaped so that a spreadsheet does not evaluate
/// them and a terminal does not interpret them.
struct CSVReport {
  private var fields: [String]

  /// The names of the columns.
  static let columns = [
    "path", "status", "transform", "edges", "trimmed_columns", "trimmed_rows", "reason", "error",
    "width",
    "height", "sampling", "coding", "orientation", "xmp_orientation", "file_size", "camera",
    "captured", "gps", "thumbnail", "gain_map", "motion_photo", "trailing_bytes",
    "content_credentials", "regions", "subject_area", "undo_data", "sidecar", "conflict", "output",
    "size",
    "verification", "restorable", "text", "format", "format_orientation", "expected_name",
  ]

  static var heading: String { columns.joined(separator: ",") }

  init(_ report: FileReport) {
    let json = JSONReport(report)
    let facts = json.facts
    func flag(_ value: Bool?) -> String { value.map { $0 ? "yes" : "no" } ?? "" }
    func number(_ value: (some BinaryInteger)?) -> String { value.map { "\($0)" } ?? "" }
    fields = [
      json.path, json.status, json.transform ?? "", json.edges ?? "",
      number(json.trimmed?.columns ?? facts?.trimming?.columns),
      number(json.trimmed?.rows ?? facts?.trimming?.rows), json.reason?.id ?? "",
      json.error?.id ?? "", number(json.width), number(json.height), json.sampling ?? "",
      json.coding ?? "", number(facts?.exifOrientation ?? json.orientation.map { Int64($0) }),
      number(facts?.xmpOrientation), number(facts?.size), facts?.camera ?? "",
      facts?.captured ?? "", flag(facts?.gps), flag(facts?.thumbnail), flag(facts?.gainMap),
      flag(facts?.motionPhoto), number(facts?.trailingBytes), flag(facts?.contentCredentials),
      flag(facts?.regions), flag(facts?.subjectArea), flag(facts?.undoData), json.sidecar ?? "",
      facts?.conflicts?.map(\.id).joined(separator: "; ") ?? "", json.output ?? "",
      number(json.size),
      json.verification ?? "", flag(json.restorable),
      json.error?.text ?? json.reason?.text ?? "",
      facts?.format ?? "", number(facts?.formatOrientation), json.expectedName ?? "",
    ]
  }

  /// The row, without its line end.
  var row: String {
    fields.map { Self.quoted(Self.neutralized(TextFormat.escaped($0))) }.joined(separator: ",")
  }

  /// Returns a field that every spreadsheet takes for text, with an apostrophe before a character that starts a
  /// formula.
  ///
  /// Source: OWASP, CSV Injection. Tabs and line ends, which can also start a formula, are escaped already.
  private static func neutralized(_ field: String) -> String {
    guard let first = field.unicodeScalars.first, "=+-@＝＋－＠".unicodeScalars.contains(first) else {
      return field
    }
    return "'" + field
  }

  private static func quoted(_ field: String) -> String {
    let needs = field.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") }
    return needs ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
  }
}
