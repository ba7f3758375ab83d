internal import ArgumentParser
internal import FileSystem
internal import Records
internal import Upright

/// The options of what is kept to undo a rewrite.
struct UndoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Append a record of each rewrite to this file, before the rewrite takes its place; \
      upright undo restores the original from it.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var record: String?

  @Flag(help: "Leave files alone whose original could not be restored identically.")
  var requireUndo = false

  func validate() throws {
    if requireUndo, record == nil {
      throw ValidationError("--require-undo needs --record, which keeps the undo data.")
    }
  }

  /// Opens the file of records, where one is kept.
  ///
  /// - Throws: ``FileError``.
  func opened() throws(FileError) -> RecordLog? {
    guard let record else { return nil }
    return try RecordLog(ArgumentPath.path(record), tool: "upright \(UprightCommand.version)")
  }
}

/// The option of what is kept so that a run can go on after it was killed.
struct JournalOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Note in this file what was done, and pass over what it says was done before. A run that was killed \
      goes on where it stopped when it is started again with the same journal.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var journal: String?

  /// - Parameter isSingle: Whether the command works on one file.
  /// - Throws: `ValidationError`.
  func check(isSingle: Bool) throws {
    if journal != nil, isSingle {
      throw ValidationError("--journal is for many files, not for one.")
    }
  }

  /// Opens the journal, where one is kept.
  ///
  /// - Throws: ``FileError``.
  func opened() throws(FileError) -> Journal? {
    guard let journal else { return nil }
    return try Journal(ArgumentPath.path(journal))
  }
}
