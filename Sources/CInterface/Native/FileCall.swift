internal import FileSystem
internal import JPEGCore
internal import PhotoFiles
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// The arguments of a C function that processes photos on disk.
struct FileCall {
  /// The photo, or the folder.
  let path: RecordedPath?
  private let output: RecordedPath?
  private let record: RecordedPath?
  private let words: [String]
  let cancellation: WorkLimit.Cancellation?

  @unsafe init(
    _ path: UnsafePointer<CChar>?,
    to output: UnsafePointer<CChar>? = nil,
    record: UnsafePointer<CChar>? = nil,
    _ words: UnsafePointer<UnsafePointer<CChar>?>?,
    _ cancellation: OpaquePointer?
  ) {
    self.path = unsafe RecordedPath(copying: path)
    self.output = unsafe RecordedPath(copying: output)
    self.record = unsafe RecordedPath(copying: record)
    self.words = unsafe [String](copying: words)
    self.cancellation = unsafe object(cancellation)
  }

  /// Rewrites the photo, or plans that in a dry run.
  ///
  /// - Parameters:
  ///   - function: The function, which determines the valid options.
  ///   - isDry: Whether it only plans, whatever the options are.
  ///   - request: Returns what is requested of the image.
  /// - Returns: The result.
  func rewriting(
    _ function: Setting.Takers,
    isDry: Bool = false,
    _ request: (CallOptions) throws(UprightError) -> Request
  ) -> CallResult {
    onFile { (path) throws(UprightError) in
      let (files, isPlan) = try rewriter(function, isDry: isDry, request)
      return isPlan ? files.planned(path, to: output) : files.rewritten(path, to: output)
    }
  }

  /// Restores the original of the photo.
  func restoring() -> CallResult {
    onFile { (path) throws(UprightError) in
      let (files, index) = try restorer()
      let result = WorkLimit.observing(for: files.rewriter.options.timeLimit) {
        let result = files.restored(path, from: index, to: output)
        // What was stopped did not restore the original.
        guard result.error != nil, let limit = WorkLimit.reached else { return result }
        return FileResult(path, failed: UprightError(limit))
      }
      return result.get()
    }
  }

  /// Creates what restores files as the options request, and reads the record.
  ///
  /// - Returns: The rewriter, and the records; nil for the undo data in the photos.
  /// - Throws: ``UprightError``, if an option is invalid or the record cannot be read.
  func restorer() throws(UprightError) -> (FileRewriter, RecordIndex?) {
    let call = try options(.undo)
    try OwnFiles.check(record: record, of: path, to: output)
    let files = FileRewriter(Rewriter(options: call.options), policy: try policy(call))
    let index = try record.map { (record) throws(UprightError) in try RecordIndex(of: record) }
    return (files, index)
  }

  /// Creates the rewriter that the options request, and opens the record unless it only plans.
  ///
  /// - Parameters:
  ///   - function: The function, which determines the valid options.
  ///   - isDry: Whether it only plans, whatever the options are.
  ///   - request: Returns what is requested of the image.
  /// - Returns: The rewriter, and whether it only plans.
  /// - Throws: ``UprightError``, if an option is invalid or the record cannot be opened.
  func rewriter(
    _ function: Setting.Takers,
    isDry: Bool,
    _ request: (CallOptions) throws(UprightError) -> Request
  ) throws(UprightError) -> (FileRewriter, isDry: Bool) {
    var call = try options(function)
    var policy = try policy(call)
    let embedsUndo = call.isSet("embed-undo")
    let isDry = isDry || call.dryRun
    policy.keepsRecord = record != nil
    call.options.makesUndo = record != nil || embedsUndo || call.options.requiresUndo
    let rewriter = Rewriter(try request(call), options: call.options)
      .embeddingUndo(inAll: embedsUndo)
    try OwnFiles.check(record: record, of: path, to: output)
    // A dry run creates no record.
    let log = try (isDry ? nil : record).map { (record) throws(UprightError) in
      try RecordLog(at: record, tool: "libupright \(Version.current)")
    }
    return (FileRewriter(rewriter, policy: policy, record: log), isDry)
  }

  private func options(_ function: Setting.Takers) throws(UprightError) -> CallOptions {
    try CallOptions(words, for: function, among: Self.settings)
  }

  private func policy(_ call: CallOptions) throws(UprightError) -> FilePolicy {
    try FilePolicy(call)
  }

  /// The path is an argument.
  private static let settings = Setting.all.filter { $0.name != "path" } + Setting.ofFiles

  /// Does the work with the path, within the cancellation.
  private func onFile(_ work: (RecordedPath) throws(UprightError) -> FileResult) -> CallResult {
    guard let path else {
      return CallResult(failed: UprightError(.argument, "the path is NULL"))
    }
    do throws(UprightError) {
      return CallResult(
        try WorkLimit.observing(for: nil, by: cancellation) { () throws(UprightError) in
          try work(path)
        }.get()
      )
    } catch {
      return CallResult(FileResult(path, failed: error))
    }
  }
}

extension RecordedPath {
  /// Copies the path of a C string; nil of NULL.
  @unsafe fileprivate init?(copying string: UnsafePointer<CChar>?) {
    guard let string = unsafe string else { return nil }
    var bytes: [UInt8] = []
    while case let byte = unsafe string[bytes.count], byte != 0 {
      bytes.append(UInt8(bitPattern: byte))
    }
    self.init(bytes: bytes)
  }
}

extension CallResult {
  /// Creates the result of a photo on disk.
  convenience init(_ result: FileResult) {
    self.init(JSONReport(result.report), error: result.error)
  }

  /// Creates the result of a call without a path.
  convenience init(failed error: UprightError) {
    self.init(JSONReport(path: "-", failed: error), error: error)
  }
}
