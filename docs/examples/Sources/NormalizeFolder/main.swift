import PhotoFiles
import Records
import Reports
import Upright

// Normalizes all photos of a folder in place, with their sidecars, so that an undo restores both.
let record = try RecordLog(at: RecordedPath(CommandLine.arguments[2]), tool: "normalize 1.0")
let files = FileRewriter(record: record)
var failed = 0
for await result in files.rewriting(below: RecordedPath(CommandLine.arguments[1])) {
  if result.error != nil { failed += 1 }
  print(result.path, result.status.rawValue, result.error?.message ?? result.reason?.explanation ?? "")
}
print("\(failed) failed")
