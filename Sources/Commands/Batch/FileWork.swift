internal import FileSystem
internal import SystemPackage

/// What a command does with each file.
protocol FileWork: Sendable {
  /// The files that the run has met, where each is worked on once.
  var visited: VisitedFiles? { get }

  /// Whether the work on most files is to read a little of them.
  var isMostlyReading: Bool { get }

  /// Whether files are waiting to be worked on that were read already.
  var isBusy: Bool { get }

  /// Whether a file whose name does not tell may be one of the command's.
  func mayTake(_ path: FilePath) -> Bool

  /// Works on a file.
  ///
  /// - Returns: What became of it; nil where the run has met the file before.
  /// - Throws: Any error, which is what became of the file.
  func report(_ file: Walk.Found) throws -> FileReport?
}

extension FileWork {
  var visited: VisitedFiles? { nil }

  var isMostlyReading: Bool { false }

  var isBusy: Bool { false }

  func mayTake(_ path: FilePath) -> Bool { FileReader.mayBeJPEG(at: path) }
}

extension FileReport {
  /// What became of a file, whatever happens.
  init(_ path: FilePath, _ work: () throws -> FileReport) {
    do { self = try work() } catch { self.init(path, error) }
  }

  /// The same, where nil is an answer.
  init?(_ path: FilePath, _ work: () throws -> FileReport?) {
    do {
      guard let report = try work() else { return nil }
      self = report
    } catch {
      self.init(path, error)
    }
  }

  private init(_ path: FilePath, _ error: any Error) {
    self.init(path: path, result: .failed(Failure(any: error)))
  }
}
