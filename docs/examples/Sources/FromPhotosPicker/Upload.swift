import Foundation
import ImageFormats
import Upright
import UprightFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The position, the date and everything else stay in the file.
/// Why a photo was not uploaded.
enum UploadError: LocalizedError {
  /// It stays as it is, and might be shown on its side.
  case skipped(Reason)
  case refused(status: Int)

  var errorDescription: String? { explanation(of: self) }
}

nonisolated func prepared(_ photo: Data) throws -> (photo: Data, type: String) {
  var options = Options()
  options.checksUnchanged = true
  let rewriter = Rewriter(options: options)
  let plan = try rewriter.audit(photo).plan
  let format = plan.image.format
  if case .skip(let reason) = plan.action { throw UploadError.skipped(reason) }
  // HEIC files and upright PNG files, such as screenshots, are sent as they are; a GIF file is an error.
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

/// What to tell people whose photo was not uploaded.
func explanation(of error: any Error) -> String {
  switch error {
  case let error as UprightError:
    switch error.code {
    case .truncated, .malformed, .damagedScan: "The photo is damaged."
    case .empty, .notJPEG, .notHEIF, .unsupported: "The file is not a photo that can be used here."
    case .limit, .outOfMemory, .timeLimit: "The photo is too large."
    case .cancelled: "The upload was cancelled."
    default: "The photo could not be prepared."
    }
  case UploadError.skipped(let reason):
    switch reason.code {
    case .conflict, .unclearOrientation, .reservedOrientation, .orientationsDisagree:
      "It is not clear which side of the photo is up. Rotate it in Photos and try again."
    case .noEndOfImage, .incompleteProgression: "The photo is incomplete."
    case .pixelLimit, .scanLimit, .memoryLimit: "The photo is too large."
    case .otherFormat: "The photo would be shown on its side. Save it as JPEG and try again."
    default: "The photo cannot be rotated without losing a part of its data."
    }
  case UploadError.refused: "The server did not accept the photo."
  default: error.localizedDescription
  }
}
