internal import ArgumentParser

/// The output formats.
enum OutputFormat: String, NamedValue {
  /// A line for each file, for people.
  case text
  /// Totals and the files that need attention, for people.
  case table
  /// A row of CSV (RFC 4180) for each file.
  case csv
  /// A JSON object on one line for each file.
  case ndjson
  /// One JSON document with all files and the totals.
  case json
}
