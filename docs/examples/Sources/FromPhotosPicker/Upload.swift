import Foundation
import Upright
import UprightFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The position, the date and everything else stay in the file; skipped photos are sent as they are.
func upload(_ photo: Data, to url: URL) async throws {
  let upright = try await PhotoThreads.shared.run {
    try Rewriter().rewrite(photo).data(original: photo)
  }
  var request = URLRequest(url: url)
  request.httpMethod = "PUT"
  request.setValue("image/jpeg", forHTTPHeaderField: "Content-Type")
  _ = try await URLSession.shared.upload(for: request, from: upright)
}
