internal import FileSystem
internal import PhotoFiles
internal import Reports
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A file to which each run appends the report of each file, so that a run that was interrupted and continued has all of them.
final class ReportFile: Sendable {
  /// The formats, by the ending of the name.
  enum Format: String, CaseIterable {
    case csv, ndjson
  }

  private let format: Format
  private let file: AppendedFile
  /// The paths that earlier runs have listed, each with a hash of its last line.
  private let listed: [String: Int]

  /// The maximum length of a line that is read again.
  private static let maxLineLength = 1 << 20

  /// Returns the format of a file; nil if its name has none.
  static func format(of path: FilePath) -> Format? {
    path.extension.flatMap { Format(rawValue: $0.lowercased()) }
  }

  /// Opens a file of reports, or creates it.
  ///
  /// - Throws: ``FileError``, also if the file is something else.
  init(_ path: FilePath, _ format: Format) throws(FileError) {
    self.format = format
    switch format {
    case .csv:
      let heading = Array((CSVReport.heading + "\n").utf8)
      file = try AppendedFile(path, beginning: heading, writesBeginning: true)
    case .ndjson: file = try AppendedFile(path, beginning: Array("{\"".utf8))
    }
    var listed: [String: Int] = [:]
    let size = try FileIdentity(of: path).size
    for line in Lines(path, limit: Self.maxLineLength) {
      let line = try line.get()
      // A row without a line end was cut when a run was killed.
      guard line.range.upperBound < size else { continue }
      if let path = Self.path(in: line.bytes, format) { listed[path] = line.bytes.hashValue }
    }
    self.listed = listed
  }

  /// Whether an earlier run has listed a file.
  func lists(_ path: FilePath) -> Bool {
    let report = FileReport(path: path, result: .interrupted)
    return Self.path(in: line(report), format).map { listed[$0] != nil } ?? false
  }

  /// Appends the report of a file.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - isContinued: Whether the run continues an earlier one; then a line that this has listed last is not repeated.
  /// - Throws: ``FileError``.
  func append(_ report: FileReport, isContinued: Bool) throws(FileError) {
    let line = line(report.mayNeedAdvice ? report.advised() : report)
    if isContinued, let path = Self.path(in: line, format),
      listed[path] == Array(line.dropLast()).hashValue
    {
      return
    }
    try file.append(line, waits: false)
  }

  /// Appends what is known of a file that an earlier run has finished, unless that has listed it.
  ///
  /// - Throws: ``FileError``.
  func append(earlier path: FilePath, _ status: Status) throws(FileError) {
    guard !lists(path) else { return }
    var report = JSONReport(FileReport(path: path, result: .interrupted))
    report.status = status
    try file.append(line(report), waits: false)
  }

  private func line(_ report: FileReport) -> [UInt8] { line(JSONReport(report)) }

  private func line(_ report: JSONReport) -> [UInt8] {
    switch format {
    case .csv: Array((CSVReport(report).row + "\n").utf8)
    case .ndjson: report.jsonBytes + [UInt8(ascii: "\n")]
    }
  }

  private struct Line: Decodable {
    var path: String
    var pathBytes: String?
  }

  /// The text of the path in a line.
  private static func path(in line: [UInt8], _ format: Format) -> String? {
    switch format {
    case .ndjson:
      let line = try? JSONDecoder().decode(Line.self, from: Data(line))
      return line.map { $0.pathBytes ?? $0.path }
    case .csv:
      // A path without a comma or quotes, or all up to the quotes that end it.
      let text = String(decoding: line, as: UTF8.self)
      guard text.hasPrefix("\"") else { return text.split(separator: ",").first.map(String.init) }
      let parts = text.dropFirst().replacing("\"\"", with: "\u{0}").split(separator: "\"")
      return parts.first.map { "\"" + $0.replacing("\u{0}", with: "\"\"") + "\"" }
    }
  }
}
