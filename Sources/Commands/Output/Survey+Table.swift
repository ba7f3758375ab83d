internal import Reports
internal import SystemPackage
internal import Upright

/// The tables in text format.
extension Survey {
  /// The maximum number of rows of a table.
  private static let maxRows = 15

  /// Returns the survey as lines of text.
  func table(_ tally: Tally) -> String {
    var blocks = [[heading], actions(tally)]
    if !attention.isEmpty { blocks.append(["Needs attention"] + attention) }
    if formats.isVaried { blocks.append(byFormat) }
    if folders.count > 1 {
      let rows = folders.groups.map { (TextFormat.path($0.isEmpty ? "." : $0), $1) }
      blocks.append(Self.group("By folder", rows))
    }
    if hasFacts, cameras.count > 1 {
      let rows = cameras.groups.map { ($0.isEmpty ? "unknown" : TextFormat.escaped($0), $1) }
      blocks.append(Self.group("By camera", rows))
    }
    if !found.isEmpty { blocks.append(["Files with"] + found) }
    blocks.append(
      [tally.summary()] + [tally.credentialSummary, tally.misfitSummary].compactMap(\.self)
    )
    return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private var heading: String {
    let folders = folders.count == 1 ? "1 folder" : "\(folders.count) folders"
    let files = all.files == 1 ? "1 file" : "\(all.files) files"
    return "\(files) in \(folders)" + (bytes > 0 ? ", \(ByteCount.text(bytes))" : "")
  }

  /// Returns the actions, with the number of files.
  private func actions(_ tally: Tally) -> [String] {
    let done = isDone
    var rows: [(String, Int)] = [
      (done ? "rotated, lossless" : "rotate, lossless", all[.lossless]),
      (done ? "rotated, re-encoded" : "rotate, would be re-encoded", all[.reencoded]),
      (done ? "rotated, trimmed" : "rotate, would be trimmed", all[.trimmed]),
      (
        done ? "Orientation changed, image unchanged" : "change Orientation, image unchanged",
        all[.reset]
      ),
      (done ? "converted" : "convert", all[.converted]),
      ("already upright", tally[.alreadyUpright]),
      ("unchanged", all[.unchanged] - tally[.alreadyUpright]), ("skipped", all[.skipped]),
      ("failed", all[.failed]),
      ("interrupted and not replaced", all[.interrupted]),
    ]
    rows.removeAll { $0.1 == 0 }
    return [isDone ? "What was done" : "What would be done"]
      + rows.map { "\(TextFormat.right("\($0.1)", 11))  \($0.0)" }
  }

  /// The reasons why files need attention, the most frequent first.
  private var attention: [String] {
    causes.sorted { ($1.count, $0.identifier) < ($0.count, $1.identifier) }
      .flatMap { cause in
        let examples = cause.examples.map(TextFormat.path).joined(separator: ", ")
        let more = cause.count > cause.examples.count ? ", …" : ""
        return [
          "\(TextFormat.right("\(cause.count)", 11))  \(cause.identifier): \(examples)\(more)",
          "             \(cause.count > 1 ? "first: " : "")\(TextFormat.escaped(cause.text))",
        ]
      }
  }

  /// The files of each format, by what states their orientation.
  private var byFormat: [String] {
    let statements = FormatCounts.Statement.allCases
    return Self.table(
      "By format",
      columns: ["files"] + statements.map(\.rawValue),
      formats.rows.map { format, counts in (format, [counts.sum] + statements.map { counts[$0] }) }
    )
  }

  private var found: [String] {
    SurveyEntry.Trait.allCases.filter { traits[$0] > 0 }
      .sorted { (traits[$1], $0.rawValue) < (traits[$0], $1.rawValue) }
      .map { "\(TextFormat.right("\(traits[$0])", 11))  \($0.rawValue)" }
  }

  /// Returns a table with a row for each group, those with most changes first.
  private static func group(
    _ title: String,
    _ groups: [(name: String, counts: SurveyCounts)]
  ) -> [String] {
    let sorted = groups.sorted {
      ($1.counts.troubled, $1.counts.rewritten, $1.counts.files, $0.name)
        < ($0.counts.troubled, $0.counts.rewritten, $0.counts.files, $1.name)
    }
    let columns: [(String, (SurveyCounts) -> Int)] = [
      ("files", { $0.files }), ("lossless", { $0[.lossless] }), ("re-encoded", { $0[.reencoded] }),
      ("trimmed", { $0[.trimmed] }), ("tag only", { $0[.reset] }),
      ("converted", { $0[.converted] }), ("upright", { $0[.unchanged] }),
      ("skipped", { $0[.skipped] }), ("failed", { $0[.failed] }),
      ("interrupted", { $0[.interrupted] }),
    ]
    return table(
      title,
      columns: columns.map(\.0),
      sorted.map { group in (group.name, columns.map { $0.1(group.counts) }) }
    )
  }

  /// Returns a table with a row for each name, of which the first ones are shown, without columns that are empty.
  private static func table(
    _ title: String,
    columns: [String],
    _ rows: [(name: String, counts: [Int])]
  ) -> [String] {
    let shown = rows.prefix(maxRows)
    let columns = columns.enumerated().filter { column in
      rows.contains { $0.counts[column.offset] > 0 }
    }
    let width = min(60, max(title.count, (shown.map { TextFormat.width($0.name) + 2 }.max() ?? 0)))
    var lines = [
      TextFormat.column(title, width) + columns.map { TextFormat.right($0.element, 12) }.joined()
    ]
    for (name, counts) in shown {
      lines.append(
        TextFormat.column("  " + shortened(name, width - 2), width)
          + columns.map { counts[$0.offset] }
          .map { TextFormat.right($0 == 0 ? "–" : "\($0)", 12) }.joined()
      )
    }
    if rows.count > shown.count { lines.append("  … and \(rows.count - shown.count) more") }
    return lines
  }

  /// Returns the last part of a name that is too long, which is the significant part of a path.
  private static func shortened(_ name: String, _ width: Int) -> String {
    guard TextFormat.width(name) > width else { return name }
    var end = name[...]
    while TextFormat.width(String(end)) >= width { end = end.dropFirst() }
    return "…" + end
  }
}
