internal import Archive
internal import Reports

/// What stands around the files in one JSON document.
enum JSONSummary {
  /// The version of the document's schema.
  static let schema = "upright-report/1"

  /// The beginning, up to the first file.
  static let opening = "{\"schema\":\"\(schema)\",\"files\":[\n"

  /// The end, behind the last file.
  static func ending(_ tally: Tally) -> String {
    let counts = Status.allCases.filter { tally[$0] > 0 }
      .map { "\"\($0.rawValue)\":\(tally[$0])" }
    return
      "\n],\"summary\":{\"files\":\(tally.total),\"statuses\":{\(counts.joined(separator: ","))},"
      + "\"skipped\":\(skipped(tally))}}\n"
  }

  /// How many files and directories were not worked on, by reason: an object.
  static func skipped(_ tally: Tally) -> String {
    let counts = tally.skipped.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\"\($0.key.rawValue)\":\($0.value)" }
    return "{\(counts.joined(separator: ","))}"
  }
}
