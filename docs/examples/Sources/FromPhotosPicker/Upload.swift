import Foundation
import ImageFormats
import Upright
import UprightFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The position, the date and everything else stay in the file.
/// Why a photo was not uploaded.
enum UploadError: Error {
  /// It would be shown on its side.
  case skipped(Reason)
  case refused(status: Int)
}

func prepared(_ photo: Data) throws -> (photo: Data, type: String) {
  let rewriter = Rewriter()
  let format = try rewriter.audit(photo).plan.image.format
  // Other formats, such as the PNG files of screenshots, are sent as they are.
  guard format == .jpeg else { return (photo, format.mediaType) }
  let outcome = try rewriter.rewrite(photo)
  if case .skipped(let reason, _) = outcome { throw UploadError.skipped(reason) }
  return (outcome.data(original: photo), format.mediaType)
}

func upload(_ photo: Data, to url: URL) async throws {
  let (upright, type) = try await PhotoThreads.shared.run { try prepared(photo) }
  var request = URLRequest(url: url)
  request.httpMethod = "PUT"
  request.setValue(type, forHTTPHeaderField: "Content-Type")
  let (_, response) = try await URLSession.shared.upload(for: request, from: upright)
  let status = (response as? HTTPURLResponse)?.statusCode ?? 0
  guard 200..<300 ~= status else { throw UploadError.refused(status: status) }
}
