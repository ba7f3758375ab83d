import Foundation
import PhotoFiles
import Records
import Reports
import Upright

/// Says what is wrong, and ends the program with status 1.
func require(_ condition: Bool, _ message: String) {
  guard !condition else { return }
  print("KeepRecords: \(message)")
  exit(1)
}

let source = URL(filePath: CommandLine.arguments[1])
let original = try Data(contentsOf: source)

let folder = FileManager.default.temporaryDirectory.appending(path: "keep-records-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let photo = folder.appending(path: "photo.jpg")
try original.write(to: photo)

let records = RecordedPath(folder.appending(path: "records.ndjson").path)
let done = try normalize(photo, recordingTo: try RecordLog(at: records, tool: "archive 1.0"))
require(done.status == .normalized, "the photo was not normalized")
require(try Data(contentsOf: photo) != original, "the photo was not normalized")

let moved = folder.appending(path: "moved.jpg")
try FileManager.default.moveItem(at: photo, to: moved)
let index = try RecordIndex(of: records)
require(index.problems.isEmpty, "there are lines that are no records")
require(try undo(moved, with: index).status == .restored, "it was not restored")
require(try Data(contentsOf: moved) == original, "the file is not the original")
require(try undo(moved, with: index).status == .unchanged, "the original is not known")

let stored = try StoredPhoto(upload: [UInt8](original), name: "2026/photo.jpg")
require(stored.photo != [UInt8](original) && stored.record != nil, "the upload was not normalized")
require(try stored.original() == [UInt8](original), "the upload does not come back")
do {
  var damaged = stored
  damaged.photo[2_000] ^= 1
  _ = try damaged.original()
  require(false, "a damaged photo was taken")
} catch let error as UprightError {
  require(error.code == .verification, "\(error)")
}
print("KeepRecords: all well")
