import Foundation
import Upright
import UprightFoundation

// What is sent, without a server: the photo is upright, and its position is that of the original.
let photo = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
let sent = try Rewriter().rewrite(photo).data(original: photo)
let positions = try [photo, sent].map { try Rewriter().audit($0).facts.position }
precondition(positions[0] == positions[1] && sent != photo)
print("\(sent.count) bytes would be sent to the server")
