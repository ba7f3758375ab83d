import Foundation
import Upright

/// Says what is wrong, and ends the program with status 1.
func require(_ condition: Bool, _ message: String) {
  guard !condition else { return }
  print("AuditTree: \(message)")
  exit(1)
}

let fixtures = URL(filePath: CommandLine.arguments[1])
let findings = try audit(fixtures)
print(
  "\(findings.upright) upright, \(findings.lossless) lossless, \(findings.reencoded) to re-encode,"
    + " \(findings.suspicious.count) suspicious, \(findings.failed.count) failed,"
    + " \(findings.places.count) places"
)
require(findings.upright > 5 && findings.lossless > 10, "the fixtures were not found")
require(findings.reencoded > 10 && !findings.suspicious.isEmpty, "some fixtures are missing")
require(findings.failed.values.contains { $0.contains("at byte") }, "errors do not say where")
require(findings.places.allSatisfy { abs($0.latitude) <= 90 }, "a place is off the globe")

// What the command prints of a file is what the program says.
if CommandLine.arguments.count > 2 {
  let photo = fixtures.appending(path: "sample/portrait.jpg")
  let command = Process()
  let output = Pipe()
  command.executableURL = URL(filePath: CommandLine.arguments[2])
  command.arguments = ["audit", "--format", "ndjson", photo.path]
  command.standardOutput = output
  try command.run()
  let line = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  require(line == (try report(photo)) + "\n", "the command prints another line")
}
print("AuditTree: all well")
