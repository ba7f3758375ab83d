import Foundation
import Records
import Upright
import UprightFoundation

/// Makes a photograph upright in its place, and keeps what it takes to undo that.
///
/// The record is on the disk before the file is replaced: whatever ends the program in between, the record of a file
/// that was not replaced does no harm.
func normalize(_ photo: URL, recordingTo log: RecordLog) throws {
  let original = try Data(contentsOf: photo)
  guard case .rewritten(let rewrite) = try Normalizer().normalize(original) else { return }
  try log.append(rewrite, of: [UInt8](original), at: RecordedPath(photo.path))
  try rewrite.data.write(to: photo, options: .atomic)
}

/// Restores the original of a photograph, wherever it is now.
func undo(_ photo: URL, with index: RecordIndex) throws -> Restoration {
  let file = try Data(contentsOf: photo)
  let restoration = try index.restoreOriginal(of: [UInt8](file), at: RecordedPath(photo.path))
  if case .restored(let original) = restoration {
    try Data(original).write(to: photo, options: .atomic)
  }
  return restoration
}
