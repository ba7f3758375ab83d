internal import FileSystem
internal import Reports

/// The parts of a JSON document before and after the files.
enum JSONSummary {
  /// The version of the document's schema.
  static let schema = "upright-report/2"

  /// The beginning, up to the first file.
  static let opening = "{\"schema\":\"\(schema)\",\"files\":[\n"

  /// The end, after the last file.
  static func ending(_ tally: Tally) -> String {
    let counts = Status.allCases.filter { tally[$0] > 0 }
      .map { "\"\($0.rawValue)\":\(tally[$0])" }
    return
      "\n],\"summary\":{\"files\":\(tally.total),\"statuses\":{\(counts.joined(separator: ","))},"
      + "\"ignored\":\(ignored(tally))}}\n"
  }

  /// Returns a JSON object of the number of files and directories that were ignored, by reason.
  static func ignored(_ tally: Tally) -> String {
    Dictionary(uniqueKeysWithValues: tally.ignored.map { ($0.key.rawValue, $0.value) }).jsonLine
  }
}
