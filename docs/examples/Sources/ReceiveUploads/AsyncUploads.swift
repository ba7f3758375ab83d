import Upright
import UprightFoundation

/// Normalizes an upload without blocking the threads that serve connections.
func upright(_ photo: [UInt8]) async throws -> [UInt8] {
  try await PhotoThreads.shared.run {
    switch try rewriter.rewrite(photo) {
    case .rewritten(let result): result.bytes
    case .unchanged, .skipped: photo
    }
  }
}
