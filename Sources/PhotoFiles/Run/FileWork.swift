package import FileSystem
package import SystemPackage

/// Says what will replace a file; if that fails, the file is kept.
package typealias Announcement = @Sendable (_ result: [UInt8]) throws(FileError) -> Void

/// The work of a command on each file.
package protocol FileWork: Sendable {
  /// The files that the run has visited, if each is processed only once.
  var visited: VisitedFiles? { get }

  /// Where results are written.
  var destinations: Destinations { get }

  /// Returns the output of a file and the sidecars that this may have; none if it is not written to a file of its own.
  ///
  /// - Throws: ``FileError`` `output-collision`, if another file has the same output.
  func outputs(of file: Walk.Found) throws(FileError) -> [FilePath]

  /// Whether files that describe photos are ignored where they are named with others, because they follow their photos.
  var ignoresCompanions: Bool { get }

  /// Whether files are written, so that temporary files of killed runs are removed, too.
  var writes: Bool { get }

  /// Whether only a small part of most files is read.
  var isMostlyReading: Bool { get }

  /// Whether files that were read already are waiting to be processed.
  var isBusy: Bool { get }

  /// Whether a file with another name may be one that the command takes.
  func mayTake(_ path: FilePath) -> Bool

  /// Returns what the command does with a file, without its policies, as journals hold it; nil for a normalization.
  func task(of file: Walk.Found) -> String?

  /// Whether sidecars are updated together with a file.
  var updatesSidecars: Bool { get }

  /// Returns the work that says what will replace a file before it does so.
  func announcing(_ announce: @escaping Announcement) -> Self

  /// Processes a file; nil if the run has visited it before.
  func report(_ file: Walk.Found) throws -> FileReport?

  /// Completes the sidecars of a file that an earlier run has finished.
  func completion(_ file: Walk.Found) throws -> FileReport?
}

extension FileWork {
  package var visited: VisitedFiles? { nil }

  package var destinations: Destinations { .only(.inPlace) }

  package func outputs(of file: Walk.Found) throws(FileError) -> [FilePath] {
    try destinations.output(of: file).map { [$0] } ?? []
  }

  package var ignoresCompanions: Bool { true }

  package var writes: Bool { false }

  package var isMostlyReading: Bool { false }

  package var isBusy: Bool { false }

  package func task(of file: Walk.Found) -> String? { nil }

  package var updatesSidecars: Bool { false }

  package func announcing(_ announce: @escaping Announcement) -> Self { self }

  package func mayTake(_ path: FilePath) -> Bool { FileReader.mayBeJPEG(at: path) }

  package func completion(_ file: Walk.Found) throws -> FileReport? { try report(file) }

  /// Processes a file, or completes its sidecars, and returns the report; nil if the run has visited it before.
  ///
  /// An error becomes the result of the file.
  package func result(of file: Walk.Found, isCompletion: Bool = false) -> FileReport? {
    do {
      return try isCompletion ? completion(file) : report(file)
    } catch {
      return FileReport(path: file.path, result: FileReport.Result(any: error, of: file.path))
    }
  }

  /// Removes a temporary file that a killed run left, if the work writes files.
  ///
  /// - Returns: Whether it was removed.
  package func removesAbandoned(_ path: FilePath) -> Bool { writes && removeAbandonedFile(path) }
}

extension FileReport {
  /// Creates the report of a file; an error becomes a failure.
  package init(_ path: FilePath, _ work: () throws -> FileReport) {
    do { self = try work() } catch { self.init(path: path, result: Result(any: error, of: path)) }
  }
}
