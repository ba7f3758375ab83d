internal import FileSystem
package import Reports
package import SystemPackage
package import Upright

extension FileReport {
  /// The result of an undo.
  package struct Undo: Sendable {
    /// What happened to the file; `planned` if its undo data can be removed.
    package var status: Status
    /// Why nothing was restored or removed.
    package var reason: Reason?
    /// The sizes before and after, and the hash of the new file, if it was or can be written.
    package var original: (oldSize: Int, size: Int, sha256: String)?
  }
}

extension Reason {
  package static let original = Reason(.original, "the file is already the original")

  package static let noRecord = Reason(.noRecord, "the record has no entry for this file")

  /// The reason for a file that is none of those in the record; another rewrite may have left a backup beside it.
  package static func changedSince(_ path: FilePath) -> Reason {
    let backup = NameRule.backup(of: path)
    return Reason(
      .changedSince,
      "the file was changed after it was rewritten, or is a different file",
      remedies: backup.map {
        [Remedy(.action(.rename), "if \($0.escaped) is its original, rename that")]
      } ?? []
    )
  }

  package static let noUndoData = Reason(
    .noUndoData,
    "the record has no undo data: the original could not be restored when the file was rewritten"
  )

  package static let notEmbedded = Reason(
    .noUndoData,
    "there is no undo data in the file",
    remedies: [
      Remedy(.action(.restoreFromRecord), "restore it from a record"),
      Remedy(.action(.rename), "if it was cropped, rename its backup"),
    ]
  )

  package static let noneToStrip = Reason(
    .noUndoData,
    "there is no undo data in the file"
  )

  /// The file cannot hold the undo data that was requested, so replacing it would be final.
  package static let noRoomForUndo = Reason(
    .noUndo,
    "only a JPEG file can hold its undo data",
    remedies: [Remedy(.action(.record), "keep it in a file of its own")]
  )

  package static let copy = Reason(
    .copy,
    "the file is a copy: the record is of a file elsewhere, which still exists"
  )

  package static func sidecarChanged(_ sidecar: FilePath) -> Reason {
    Reason(
      .sidecarChanged,
      "its sidecar \(sidecar.escaped) was changed after it was updated with the photo, so it cannot be restored with it",
      remedies: [Remedy(.policy("without-sidecars", "true"), "restore the photo alone")]
    )
  }

  package static let severalOriginals = Reason(
    .severalOriginals,
    "the records lead to several originals: equal files, or rewrites at another path",
    remedies: [
      Remedy(.action(.undoInPlace), "undo where the file was rewritten"),
      Remedy(.action(.undoLast), "undo its last rewrite alone"),
    ]
  )
}
