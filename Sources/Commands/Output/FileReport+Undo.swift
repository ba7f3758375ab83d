internal import Reports
internal import SystemPackage
internal import Upright

extension FileReport {
  /// The result of an undo.
  struct Undo: Sendable {
    /// What happened to the file; `planned` if its undo data can be removed.
    var status: Status
    /// Why nothing was restored or removed.
    var reason: Reason?
    /// The sizes before and after, and the hash of the new file, if it was or can be written.
    var original: (oldSize: Int, size: Int, sha256: String)?
  }
}

extension Reason {
  static let original = Reason(.original, "the file is already the original")

  static let noRecord = Reason(.noRecord, "the record has no entry for this file")

  static let changedSince = Reason(
    .changedSince,
    "the file was changed after it was rewritten, or is a different file"
  )

  static let noUndoData = Reason(
    .noUndoData,
    "the record has no undo data: the original could not be restored when the file was rewritten"
  )

  static let notEmbedded = Reason(
    .noUndoData,
    "there is no undo data in the file; if there is a record of it, name that with --record"
  )

  static let noneToStrip = Reason(
    .noUndoData,
    "there is no undo data in the file"
  )

  /// The file cannot hold the undo data that was requested, so replacing it would be final.
  static let noRoomForUndo = Reason(
    .noUndo,
    "only a JPEG file can hold its undo data",
    remedies: [Remedy(.action(.record), "keep it in a file of its own")]
  )

  static let copy = Reason(
    .copy,
    "the file is a copy: the record is of a file elsewhere, which still exists"
  )

  static func sidecarChanged(_ sidecar: FilePath) -> Reason {
    Reason(
      .sidecarChanged,
      "its sidecar \(TextFormat.path(sidecar)) was changed after it was updated with the photo, so it cannot be restored with it"
    )
  }

  static let severalOriginals = Reason(
    .severalOriginals,
    "the records lead to several originals: equal files, or rewrites at another path; run undo where the file was rewritten, "
      + "or undo its last rewrite alone with --last"
  )
}
