import Foundation
import Upright
import UprightFoundation

/// What a server takes in.
func uploadOptions() -> Options {
  var options = Options()
  options.maxBytes = 64 << 20  // of the file
  options.maxPixels = 200_000_000  // that its header claims
  options.maxMemory = 1 << 30  // that the work may take, by estimate, in bytes
  options.timeLimit = .seconds(10)  // for the work
  return options
}

struct Reply {
  var status: Int
  var body: Data
}

let normalizer = Normalizer(options: uploadOptions())

/// As many at once as there are processors.
let places = DispatchSemaphore(value: ProcessInfo.processInfo.activeProcessorCount)

/// Called on a thread of its own for each request.
func receive(_ body: Data) -> Reply {
  guard places.wait(timeout: .now() + 5) == .success else {
    return Reply(status: 503, body: Data())
  }
  defer { places.signal() }
  do throws(UprightError) {
    return Reply(status: 200, body: try normalizer.normalize(body).data(original: body))
  } catch {
    return Reply(status: error.cause == .file ? 422 : 503, body: Data(error.description.utf8))
  }
}
