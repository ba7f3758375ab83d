internal import FileSystem
internal import SystemPackage

extension FileReport {
  /// Adds what was written.
  mutating func add(_ written: FileExecution.Written) {
    output = written.output
    lost = written.lost
    if let failure = written.failure { result = Result(any: failure, of: path) }
  }
}
