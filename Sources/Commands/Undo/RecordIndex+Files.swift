internal import FileSystem
internal import Records
internal import SystemPackage

extension RecordIndex {
  /// The kinds of the recorded files by their names; always JPEG, too.
  var kinds: NameRule.Kind {
    let names = entries.compactMap { $0.place?.lastComponent?.bytes }
    return FileFormats.all.names.elements.filter { kind in
      kind == .jpeg || names.contains { NameRule(kind: kind).verdict($0) == .taken }
    }.reduce(into: []) { $0.formUnion($1) }
  }

  /// The failures for damaged lines of the record file.
  var failures: [FileReport.Failure] {
    lineProblems.map { .init(line: $0.line, $0.problem) }
      + (furtherProblems > 0 ? [.init(furtherLines: furtherProblems)] : [])
  }
}
