import Foundation
import Upright
import UprightFoundation

/// The limits for uploads.
func uploadOptions() -> Options {
  var options = Options()
  options.maxBytes = 64 << 20  // size of the file
  options.maxPixels = 200_000_000  // according to its header
  options.maxMemory = 1 << 30  // estimated, in bytes
  options.timeLimit = .seconds(10)  // for one file
  return options
}

/// The options of a request, by the parameters of its query; nil if one is no policy.
func options(for query: [(name: String, value: String)]) throws(UprightError) -> Options? {
  var options = uploadOptions()
  for (name, value) in query {
    guard try options.setPolicy(name, to: value) else { return nil }
  }
  return options
}

struct Reply {
  var status: Int
  var body: Data
}

let rewriter = Rewriter(options: uploadOptions())

/// Limits the photos being processed to the number of processors.
let places = DispatchSemaphore(value: ProcessInfo.processInfo.activeProcessorCount)

/// Handles a request; called on a separate thread for each.
func receive(_ body: Data) -> Reply {
  guard places.wait(timeout: .now() + 5) == .success else {
    return Reply(status: 503, body: Data())
  }
  defer { places.signal() }
  do throws(UprightError) {
    return Reply(status: 200, body: try rewriter.rewrite(body).data(original: body))
  } catch {
    return Reply(status: error.httpStatus, body: Data(error.description.utf8))
  }
}
