internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// `upright verify`, which proves from two files that one is the normalized other.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    _superCommandName: "upright",
    abstract: "Prove that the second file is the first one, losslessly rotated or flipped.",
    discussion: """
      Compares every coefficient, every quantization table and every byte outside of the fields that a transform \
      changes; lists the fields that differ and what was lost. The result may come from any program. Directories \
      are compared file by file. With --record, the original is restored from the record in memory, and only the \
      result is needed.

      Proven means lossless and complete. A result that was re-encoded in part, or trimmed as by normalize \
      --unaligned trim, is verified: it is the original except for what the report names; --lossless rejects both. A \
      result whose thermal data or depth map no longer fits the image is rejected, or verified with \
      --registered-data keep.

      Exit status: 0, proven, verified or identical; 1, not proven; 2, a file cannot be read.
      """
  )

  @Argument(help: "The original file or directory; omitted with --record.")
  var original: String

  @Argument(help: "The result, as a file or directory.")
  var result: String?

  @Option(
    help: ArgumentHelp(
      "Restore the original from this record.",
      valueName: "file"
    )
  )
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Expect this transform of the displayed image, as by upright rotate: rotate-90, flip-horizontal, …",
      valueName: "transform"
    )
  )
  var transform = OrientationTransform.none

  @Flag(help: "Fail if any image was re-encoded or trimmed.")
  var lossless = false

  @Option(
    help: ArgumentHelp(
      """
      What to do if thermal data, a depth map or other data in the file no longer fits the image. The result is \
      rejected, or accepted as made with normalize --registered-data keep.
      """,
      valueName: "policy"
    )
  )
  var registeredData = Options.RegisteredDataPolicy.skip

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Number of pairs to compare at once. Default: the number of cores.",
      valueName: "count"
    )
  )
  var jobs: Int?

  @OptionGroup var pixels: PixelLimit

  @OptionGroup var limit: SizeLimit

  @Option(help: "Output format: text or ndjson.")
  var format = Format.text

  /// The output formats.
  enum Format: String, NamedValue {
    case text, ndjson
  }

  @OptionGroup var recursion: AlwaysRecursiveOption

  @Flag(help: "In directories, process JPEG files with any name.")
  var allNames = false

  @Flag(name: .shortAndLong, help: "Print only what is neither proven nor verified.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help: "Print every field that differs. For two files, that is the default."
  )
  var verbose = false

  func validate() throws {
    if record == nil, result == nil {
      throw ValidationError(
        "Name the original and the result, or --record and the result."
      )
    }
    if record != nil, result != nil {
      throw ValidationError("With --record, name only the result.")
    }
    guard (1...1024).contains(jobs ?? 1) else {
      throw ValidationError("--jobs must be from 1 to 1024.")
    }
  }

  func run() throws {
    let roots = (ArgumentPath.path(original), ArgumentPath.path(result ?? original))
    let areDirectories = isDirectory(roots.0) && isDirectory(roots.1)
    let printer = VerificationPrinter(
      format: format,
      quiet: quiet,
      verbose: verbose || !areDirectories
    )
    let jobs = self.jobs ?? availableCores
    let run = BatchRun(Console(), jobs: jobs, readers: jobs)
    if let record {
      verifyRecorded(ArgumentPath.path(record), roots.1, run, printer)
    } else if areDirectories {
      let pairs = DirectoryPairs(original: roots.0, result: roots.1, allNames: allNames)
      run.work(on: pairs) { [self] in printer.print(report($0), to: &$1) }
    } else {
      run.work(on: [DirectoryPairs.Pair.both(roots.0, roots.1)]) { [self] in
        printer.print(report($0), to: &$1)
      }
    }
    let interruption = Interruption.exitStatus
    if interruption != nil {
      run.console.error("interrupted")
    } else if areDirectories, !quiet, case .text = format {
      run.console.line(run.console.pairs.summary)
    }
    try run.console.end(interruption ?? run.console.pairs.exitStatus)
  }

  /// Compares results with the originals that a record restores.
  private func verifyRecorded(
    _ record: FilePath,
    _ root: FilePath,
    _ run: BatchRun,
    _ printer: VerificationPrinter
  ) {
    let restoration = Result {
      try FileRestoration(lookingIn: record, maxPixels: pixels.maxPixels, limit: limit)
    }
    let walk = DirectoryPairs.walk(root, allNames: allNames)
    run.work(on: walk) { [self] item, printout in
      switch item {
      case .ignored: break
      case .candidate(let found) where !FileReader.mayBeJPEG(at: found.path): break
      case .failed(let error): printer.print(report(.failed(error)), to: &printout)
      case .file(let found), .candidate(let found):
        let isNamed = found.path == root
        printer.print(recorded(found.path, isNamed: isNamed, record, restoration), to: &printout)
      }
    }
  }

  /// Compares a result with the original that a record restores.
  private func recorded(
    _ path: FilePath,
    isNamed: Bool,
    _ record: FilePath,
    _ restoration: Result<FileRestoration, any Error>
  ) -> VerificationReport {
    var report = VerificationReport(original: record, result: path, outcome: .unrecorded)
    do {
      let bytes = try FileReader(path).readAll(limit)
      let (undo, original) = try restoration.get().undone(bytes, path, isNamed)
      if let original {
        report.outcome = compare(original, bytes)
      } else if case .unchanged = undo.disposition {
        // The record has no entry for the file, or the file is an original.
        report.outcome = .untouched
      }
    } catch {
      report.outcome = .unreadable(nil, FileReport.Failure(any: error).advised)
    }
    return report
  }

  /// Reads a file of a pair whole, because pairs of other formats may be identical.
  ///
  /// If it is too large, its first bytes show whether it is a JPEG file.
  private func read(_ path: FilePath) throws -> [UInt8] {
    let file = try FileReader(path)
    return try file.identity.size > limit.maxBytes ? file.readJPEG(limit) : file.readAll(limit)
  }

  /// Compares two files.
  private func compare(_ old: [UInt8], _ new: [UInt8]) -> VerificationReport.Outcome {
    var verifier = Verifier(then: transform)
    verifier.maxPixels = pixels.maxPixels
    verifier.requiresLossless = lossless
    verifier.acceptsRegisteredData = registeredData == .keep
    do throws(Verifier.Unreadable) {
      var verdict = try verifier.verify(original: old, result: new)
      if old != new {
        TagComparison(original: old, result: new).add(to: &verdict)
        UndoDataCheck(original: old, result: new, maxPixels: pixels.maxPixels).add(to: &verdict)
      }
      return .compared(verdict.advised)
    } catch {
      var failure = FileReport.Failure(error.error).advised
      let file = error.file == .original ? old : new
      if let format = ImageFormat(beginning: file.span), format != .jpeg {
        failure.message =
          "\(format.name) files are not compared; upright undo --dry-run --record checks that the original can be "
          + "restored from the result"
      }
      return .unreadable(error.file, failure)
    }
  }

  private func isDirectory(_ path: FilePath) -> Bool {
    (try? Syscalls.status(path, followingLinks: true))?.kind == .directory
  }

  private func report(_ pair: DirectoryPairs.Pair) -> VerificationReport {
    switch pair {
    case .missing(let original, let result):
      return VerificationReport(original: original, result: result, outcome: .missing)
    case .extra(let original, let result):
      return VerificationReport(original: original, result: result, outcome: .extra)
    case .failed(let error):
      return VerificationReport(
        original: error.path,
        result: error.path,
        outcome: .unreadable(nil, FileReport.Failure(error).advised)
      )
    case .both(let original, let result):
      var report = VerificationReport(original: original, result: result, outcome: .missing)
      do {
        report.outcome = try compare(read(original), read(result))
      } catch {
        report.outcome = .unreadable(nil, FileReport.Failure(any: error).advised)
      }
      return report
    }
  }
}
