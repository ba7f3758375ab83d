internal import ArgumentParser
internal import FileSystem
internal import PhotoFiles
internal import Records
internal import Reports
internal import Upright

/// The options for what is kept to undo a rewrite.
struct UndoOptions: DeclaredOptions {
  var record: String?
  var embedUndo = false
  var requireUndo = false

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &record,
      "record",
      help: ArgumentHelp(
        """
        Append undo data of each rewrite to this file. It is written before the photo is replaced, and upright undo \
        restores the original from it.
        """,
        valueName: "file"
      ),
      completion: .file()
    )
    try visitor.flag(
      &embedUndo,
      "embed-undo",
      help: .of(
        "embed-undo",
        """
         Then upright undo needs no record. Files that have such undo data keep it up to date, with or without this option.
        """
      )
    )
    try visitor.flag(&requireUndo, "require-undo", help: .of("require-undo"))
  }

  /// Whether the undo data of a rewrite is kept.
  var keepsUndo: Bool { record != nil || embedUndo }

  func validate() throws {
    if record == "-" { throw ValidationError("--record requires a file name.") }
    if requireUndo, !keepsUndo {
      throw ValidationError(
        "--require-undo requires --record or --embed-undo, which keep the undo data."
      )
    }
  }

  /// Opens the record file, if the option is given.
  func opened() throws(FileError) -> RecordLog? {
    guard let record else { return nil }
    return try RecordLog(ArgumentPath.path(record), tool: "upright \(Version.current)")
  }
}

/// The option for resuming an interrupted run.
struct JournalOption: DeclaredOptions {
  var journal: String?

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &journal,
      "journal",
      help: ArgumentHelp(
        """
        Record finished files in this file and skip those that it lists. To resume an interrupted run, start the \
        same command again with the same journal.
        """,
        valueName: "file"
      ),
      completion: .file()
    )
  }

  func check(isSingle: Bool) throws {
    if journal == "-" { throw ValidationError("--journal requires a file name.") }
    if journal != nil, isSingle {
      throw ValidationError("--journal requires several input files.")
    }
  }

  /// Opens the journal, if the option is given.
  func opened() throws(FileError) -> Journal? {
    guard let journal else { return nil }
    return try Journal(ArgumentPath.path(journal))
  }
}
