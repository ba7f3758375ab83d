internal import ImageOrientation
internal import Reports
internal import Upright

/// One row of CSV (RFC 4180) for a ``FileReport``, documented in `docs/output.md`.
///
/// File names and tags come from unknown sources: the fields are escaped so that a spreadsheet does not evaluate
/// them and a terminal does not interpret them.
struct CSVReport {
  /// A column: its name, and its content for a report.
  private struct Column: Sendable {
    let name: String
    let content: @Sendable (JSONReport) -> String

    init(_ name: String, _ content: @escaping @Sendable (JSONReport) -> String) {
      self.name = name
      self.content = content
    }
  }

  private static let columns: [Column] = [
    Column("path") { $0.path },
    Column("status") { $0.status },
    Column("transform") { $0.transform ?? "" },
    Column("edges") { $0.edges ?? "" },
    Column("trimmed_columns") { number($0.trimmed?.columns ?? $0.facts?.trimming?.columns) },
    Column("trimmed_rows") { number($0.trimmed?.rows ?? $0.facts?.trimming?.rows) },
    Column("reason") { $0.reason?.id ?? "" },
    Column("error") { $0.error?.id ?? "" },
    Column("width") { number($0.width) },
    Column("height") { number($0.height) },
    Column("sampling") { $0.sampling ?? "" },
    Column("coding") { $0.coding ?? "" },
    Column("orientation") { number($0.facts?.exifOrientation ?? $0.orientation.map { Int64($0) }) },
    Column("xmp_orientation") { number($0.facts?.xmpOrientation) },
    Column("file_size") { number($0.facts?.size) },
    Column("camera") { $0.facts?.camera ?? "" },
    Column("captured") { $0.facts?.captured ?? "" },
    Column("gps") { flag($0.facts?.gps) },
    Column("thumbnail") { flag($0.facts?.thumbnail) },
    Column("gain_map") { flag($0.facts?.gainMap) },
    Column("motion_photo") { flag($0.facts?.motionPhoto) },
    Column("trailing_bytes") { number($0.facts?.trailingBytes) },
    Column("content_credentials") { flag($0.facts?.contentCredentials) },
    Column("regions") { flag($0.facts?.regions) },
    Column("subject_area") { flag($0.facts?.subjectArea) },
    Column("undo_data") { flag($0.facts?.undoData) },
    Column("sidecar") { $0.sidecar ?? "" },
    Column("conflict") { $0.facts?.conflicts?.map { $0.id }.joined(separator: "; ") ?? "" },
    Column("output") { $0.output ?? "" },
    Column("size") { number($0.size) },
    Column("verification") { $0.verification ?? "" },
    Column("restorable") { flag($0.restorable) },
    Column("text") { $0.error?.text ?? $0.reason?.text ?? "" },
    Column("format") { $0.facts?.format ?? "" },
    Column("format_orientation") { number($0.facts?.formatOrientation) },
    Column("expected_name") { $0.expectedName ?? "" },
  ]

  static var heading: String { columns.map { $0.name }.joined(separator: ",") }

  private let fields: [String]

  init(_ report: FileReport) {
    let json = JSONReport(report)
    fields = Self.columns.map { $0.content(json) }
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

private func number(_ value: (some BinaryInteger)?) -> String { value.map { "\($0)" } ?? "" }

private func flag(_ value: Bool?) -> String { value.map { $0 ? "yes" : "no" } ?? "" }
