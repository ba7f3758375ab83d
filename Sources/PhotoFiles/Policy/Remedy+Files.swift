package import Upright

extension Remedy.Action {
  /// Keep undo data in a record.
  package static let record = Remedy.Action(rawValue: "record")
  /// Rename the file.
  package static let rename = Remedy.Action(rawValue: "rename")
  /// Set the Orientation of a sidecar to that of its photo.
  package static let resetSidecar = Remedy.Action(rawValue: "reset-sidecar")
  /// Name the new path of a file that was moved.
  package static let nameMovedFile = Remedy.Action(rawValue: "name-moved-file")
  /// Undo a file where it was rewritten.
  package static let undoInPlace = Remedy.Action(rawValue: "undo-in-place")
  /// Undo only the last rewrite of a file.
  package static let undoLast = Remedy.Action(rawValue: "undo-last")
  /// Restore a file from its record.
  package static let restoreFromRecord = Remedy.Action(rawValue: "restore-from-record")
}
