import Foundation
import Records
import Upright
import UprightFoundation

/// Normalizes a photo in place and records the undo data.
///
/// The record is on the disk before the file is replaced. If the program ends in between, the extra record does no harm.
func normalize(_ photo: URL, recordingTo log: RecordLog) throws {
  let original = try Data(contentsOf: photo)
  guard case .rewritten(let rewrite) = try Rewriter().rewrite(original) else { return }
  try log.append(rewrite, of: [UInt8](original), at: RecordedPath(photo.path))
  try rewrite.data.write(to: photo, options: .atomic)
}

/// Restores the original of a photo, even if the photo was moved.
func undo(_ photo: URL, with index: RecordIndex) throws -> Restoration {
  let file = try Data(contentsOf: photo)
  let restoration = try index.restoreOriginal(of: [UInt8](file), at: RecordedPath(photo.path))
  if case .restored(let original) = restoration {
    try Data(original).write(to: photo, options: .atomic)
  }
  return restoration
}
