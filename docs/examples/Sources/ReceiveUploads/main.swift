import Foundation
import Upright

/// Says what is wrong, and ends the program with status 1.
func require(_ condition: Bool, _ message: String) {
  guard !condition else { return }
  print("ReceiveUploads: \(message)")
  exit(1)
}

let photo = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))

let reply = receive(photo)
require(reply.status == 200 && reply.body != photo, "the photo was not normalized")
require(receive(reply.body).body == reply.body, "the result is not upright")
require(receive(Data("GIF89a".utf8)).status == 415, "an image that is no JPEG was taken")
require(receive(Data(count: 65 << 20)).status == 413, "a file beyond the limit was taken")
require(receive(photo.prefix(photo.count - 100)).status == 422, "half a photo was taken")
require(
  try await upright([UInt8](photo)) == [UInt8](reply.body),
  "the executor does something else"
)

require(
  try options(for: [("on-conflict", "trust-tag")])?.onConflict == .trustTag,
  "a policy was not set"
)
require(try options(for: [("max-pixels", "1")]) == nil, "a request set a limit")

let cancelled = Task { try await upright([UInt8](photo)) }
cancelled.cancel()
do {
  _ = try await cancelled.value
  require(false, "a cancelled request was worked on")
} catch let error as UprightError {
  require(error.code == .cancelled, "\(error)")
}
print("ReceiveUploads: all well")
