internal import Dispatch
internal import Upright

extension Rewriter {
  /// Does parts of the work on one file on all cores.
  mutating func useAllCores() {
    threads = { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
  }
}
