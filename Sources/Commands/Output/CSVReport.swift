internal import PhotoFiles
internal import Reports

/// One row of CSV (RFC 4180) for a ``FileReport``, documented in `docs/output.md`.
///
/// File names and tags come from unknown sources: the fields are escaped so that a spreadsheet does not evaluate
/// them and a terminal does not interpret them.
struct CSVReport {
  static var heading: String { JSONReport.columns.map(\.name).joined(separator: ",") }

  private let fields: [String]

  init(_ report: FileReport) { self.init(JSONReport(report)) }

  init(_ report: JSONReport) { fields = JSONReport.columns.map { $0.content(report) } }

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
