import Foundation
import ImageFormats
import Upright
import UprightFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The position, the date and everything else stay in the file; skipped photos are sent as they are.
func prepared(_ photo: Data) throws -> (photo: Data, type: String) {
  let rewriter = Rewriter()
  let format = try rewriter.audit(photo).plan.image.format
  // Other formats, such as the PNG files of screenshots, are sent as they are.
  guard format == .jpeg else { return (photo, format.mediaType) }
  return (try rewriter.rewrite(photo).data(original: photo), format.mediaType)
}

func upload(_ photo: Data, to url: URL) async throws {
  let (upright, type) = try await PhotoThreads.shared.run { try prepared(photo) }
  var request = URLRequest(url: url)
  request.httpMethod = "PUT"
  request.setValue(type, forHTTPHeaderField: "Content-Type")
  _ = try await URLSession.shared.upload(for: request, from: upright)
}
