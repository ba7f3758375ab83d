internal import ArgumentParser

/// How a command prints what there is to say of files.
enum OutputFormat: String, NamedValue {
  /// A line for each file, for people.
  case text
  /// Totals and what needs attention, for people.
  case table
  /// A row for each file, as RFC 4180 has them.
  case csv
  /// A JSON object on a line of its own for each file.
  case ndjson
  /// One JSON document with all files and the totals.
  case json
}
