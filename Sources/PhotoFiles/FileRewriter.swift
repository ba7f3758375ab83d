internal import FileSystem
public import Records
internal import Reports
internal import SystemPackage
public import Upright

/// Rewrites photos in their files, together with the files beside them, and restores them.
///
/// A file is replaced atomically, also if the machine stops at that moment, and keeps its owner, its rights, extended
/// attributes and, as far as others see the change, its times. XMP sidecars and world files are updated with their photo; if
/// one of them cannot be, or an edit beside the photo would no longer fit, the photo is skipped. With a record, the undo data
/// is on the disk before a file is replaced.
///
/// ```swift
/// let record = try RecordLog(at: "record.ndjson", tool: "intake 1.0")
/// let files = FileRewriter(record: record)
/// for await result in files.rewriting(below: "photos") {
///   print(result.path, result.status.rawValue)
/// }
/// ```
public struct FileRewriter: Sendable {
  /// What is done with each image, and its policies.
  public var rewriter: Rewriter
  /// What is requested of the files.
  public var policy: FilePolicy
  /// Where rewrites are recorded; nil if they are not.
  public var record: RecordLog?

  /// Creates a rewriter of files.
  ///
  /// - Parameters:
  ///   - rewriter: What is done with each image; by default it is normalized.
  ///   - policy: What is requested of the files.
  ///   - record: Where rewrites are recorded, so that they can be undone.
  public init(
    _ rewriter: Rewriter = Rewriter(),
    policy: FilePolicy = FilePolicy(),
    record: RecordLog? = nil
  ) {
    (self.rewriter, self.policy, self.record) = (rewriter, policy, record)
  }

  /// Returns what a rewrite would do with a file, and reads no more of it than needed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - output: Where the result would be written; nil for in place.
  /// - Returns: The plan, and what would become of the files beside it.
  /// - Throws: `UprightError`.
  public func plan(
    _ path: RecordedPath,
    to output: RecordedPath? = nil
  ) throws(UprightError) -> FileResult {
    try checkRecord(of: path, to: output)
    return try planned(path, to: output).checked()
  }

  /// Does what is requested with a file.
  ///
  /// It works in the calling thread, and ends early if the task is cancelled.
  ///
  /// - Parameters:
  ///   - path: The file; of a symbolic link, the file that it leads to.
  ///   - output: Where the result is written, with its sidecars; nil to replace the file.
  /// - Returns: What became of the file and of the files beside it.
  /// - Throws: `UprightError`. The file is as it was then, unless the code says otherwise.
  public func rewrite(
    _ path: RecordedPath,
    to output: RecordedPath? = nil
  ) throws(UprightError) -> FileResult {
    try checkRecord(of: path, to: output)
    return try rewritten(path, to: output).checked()
  }

  /// Restores the original of a file and of its sidecars, byte for byte.
  ///
  /// - Parameters:
  ///   - path: The file; it may have been moved since it was rewritten.
  ///   - index: The records; nil for the undo data in the file itself.
  /// - Returns: What became of the file and of its sidecars.
  /// - Throws: `UprightError`, also if no record is of the file and a line of the records is damaged. The file is as it was then,
  ///   unless the code says otherwise.
  public func restore(
    _ path: RecordedPath,
    from index: RecordIndex?
  ) throws(UprightError) -> FileResult {
    try OwnFiles.check(record: index?.recordedPath, of: path, to: nil)
    return try restored(path, from: index).checked()
  }

  private func checkRecord(of path: RecordedPath, to output: RecordedPath?) throws(UprightError) {
    try OwnFiles.check(record: record?.recordedPath, of: path, to: output)
  }

  /// Returns the work on files.
  func work(to output: RecordedPath? = nil, isDry: Bool = false) -> FileRewrite {
    var policy = policy
    policy.write(to: output)
    policy.isDry = isDry
    if record != nil { policy.keepsRecord = true }
    var rewriter = rewriter
    if policy.keepsRecord { rewriter.options.makesUndo = true }
    var work = FileRewrite(rewriter, policy)
    work.log = isDry ? nil : record
    return work
  }
}

/// Results of files that may have failed, which callers in other languages get with their reports.
extension FileRewriter {
  /// Returns what a rewrite would do with a file.
  package func planned(_ path: RecordedPath, to output: RecordedPath?) -> FileResult {
    FileResult(of: path) { try work(to: output, isDry: true).report($0) }
  }

  /// Does what is requested with a file.
  package func rewritten(_ path: RecordedPath, to output: RecordedPath?) -> FileResult {
    FileResult(of: path) { try work(to: output).report($0) }
  }

  /// Restores the original of a file, and in place those of its sidecars.
  package func restored(
    _ path: RecordedPath,
    from index: RecordIndex?,
    to output: RecordedPath? = nil
  ) -> FileResult {
    let result = FileResult(of: path) { file in
      var policy = policy
      policy.write(to: output)
      var restoration = try FileRestoration(index, policy, options: rewriter.options)
      restoration.takesSidecars = output == nil
      return try restoration.report(file)
    }
    // The record of the photo may be in one of these lines.
    guard result.status == .skipped, result.reason == .noRecord, let error = index?.errors.first
    else { return result }
    return FileResult(path, failed: error)
  }
}

extension FilePolicy {
  /// Writes results to a file, if one is given.
  fileprivate mutating func write(to output: RecordedPath?) {
    if let output { destinations = .only(.file(output.path)) }
  }
}

extension FileResult {
  /// Creates the result of the work on a file; an error becomes its result.
  fileprivate init(of path: RecordedPath, _ work: (Walk.Found) throws -> FileReport?) {
    let file = Walk.Found(path.path, root: path.path)
    let report = FileReport(path.path) {
      guard let report = try work(file) else {
        throw UprightError(.internal, message: "the file was visited before")
      }
      return report
    }
    self.init(report)
  }

  /// Returns the result unless the file failed.
  ///
  /// - Throws: `UprightError`.
  fileprivate func checked() throws(UprightError) -> FileResult {
    if let error { throw error }
    return self
  }
}
