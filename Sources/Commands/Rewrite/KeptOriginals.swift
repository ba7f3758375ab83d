/// From what the originals of the files that a run replaces can be restored.
enum KeptOriginals: Sendable {
  /// No file is replaced.
  case originals
  /// The record, quoted for a shell.
  case record(String)
  /// The results hold their undo data; the command restores the originals from it.
  case results(command: String)
  /// Files beside the results, with this suffix.
  case backups(String)
  /// Nothing.
  case nothing

  /// What the page of the run says.
  var undo: Page.Settings.Undo {
    switch self {
    case .originals: .init(text: "The originals are where they were.")
    case .record(let record):
      .init(
        text:
          "As long as \(record) and the results are kept unchanged, this restores all files of the record, byte for byte:",
        command: "upright undo --record \(record)"
      )
    case .results(let command):
      .init(
        text: "The results hold their undo data. This restores the originals, byte for byte:",
        command: command
      )
    case .backups(let suffix):
      .init(
        text:
          "Each original is beside its result, with \(TextFormat.escaped(suffix)) after its name:"
          + " rename it to restore it."
      )
    case .nothing:
      .init(text: "Nothing was kept to undo this; with --record, each original could be restored.")
    }
  }

  /// The warning at a terminal when files have been replaced; nil if their originals can be restored.
  var warning: String? {
    guard case .nothing = self else { return nil }
    return "nothing was kept to undo this; --record, --embed-undo and --backup keep what is needed"
  }
}
