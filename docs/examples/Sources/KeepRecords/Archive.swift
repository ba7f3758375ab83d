import Foundation
import PhotoFiles
import PhotoFilesFoundation
import Records

/// Normalizes a photo in place with its sidecars, and records the undo data.
///
/// The record is on the disk before a file is replaced. If the program ends in between, the extra record does no harm.
func normalize(_ photo: URL, recordingTo log: RecordLog) throws -> FileResult {
  try FileRewriter(record: log).rewrite(photo)
}

/// Restores the original of a photo and of its sidecars, even if the photo was moved.
func undo(_ photo: URL, with index: RecordIndex) throws -> FileResult {
  try FileRewriter().restore(photo, from: index)
}
