import Foundation
import Upright
import UprightFoundation

// What is sent, without a server: the photo is upright, and its position is that of the original.
let files = try CommandLine.arguments.dropFirst().map {
  try Data(contentsOf: URL(fileURLWithPath: $0))
}
let (photo, screenshot) = (files[0], files[1])
let (sent, type) = try prepared(photo)
let positions = try [photo, sent].map { try Rewriter().audit($0).facts.position }
precondition(positions[0] == positions[1] && sent != photo && type == "image/jpeg")
let (same, format) = try prepared(screenshot)
precondition(same == screenshot && format == "image/png")
// Others would be on their side, or are damaged.
let refusals = files.dropFirst(2).map { photo in
  do { return "\(try prepared(photo).type)" } catch { return explanation(of: error) }
}
precondition(
  refusals.map { $0.prefix(28) } == [
    "The photo would be shown on ", "It is not clear which side o", "It is not clear which side o",
    "The photo is incomplete.", "The photo is damaged.",
  ],
  "\(refusals)"
)
print("\(sent.count) bytes would be sent to the server")
