internal import ArgumentParser
internal import FileSystem
internal import ImageOrientation
internal import Reports
internal import SystemPackage
internal import Upright

/// `upright verify`: proves from two files that one is the other made upright.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Prove from two files alone that the second is the first made upright.",
    discussion: """
      Reads both files anew and compares every coefficient, every quantization table and every byte outside of \
      the fields that a transform changes; lists the fields that differ, and what was lost. The result may come \
      from any program. Two directories are compared file by file, and summed up. With --record the result \
      alone is enough: its original is restored from the record, in memory. A result that was re-encoded in part, \
      or lost partial MCUs as with normalize --unaligned trim, is proven and says so; --lossless accepts neither. \
      Exit status: 0 proven, or the same files; 1 not; 2 a file cannot be read.
      """
  )

  @Argument(help: "The file or directory before; left out with --record.")
  var original: String

  @Argument(help: "The file or directory that is said to be the same made upright.")
  var result: String?

  @Option(
    help: ArgumentHelp(
      "Compare a result with the original that this record of normalize restores.",
      valueName: "file"
    )
  )
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Expect that what is seen was transformed, too, as by upright rotate: rotate-90, flip-horizontal, …",
      valueName: "transform"
    )
  )
  var transform = OrientationTransform.none

  @Flag(help: "Fail where anything but a thumbnail or preview was re-encoded or cut off.")
  var lossless = false

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      "How many pairs to compare at once; by default as many as there are cores.",
      valueName: "count"
    )
  )
  var jobs = availableCores

  @Option(help: ArgumentHelp("Do not read images that claim more pixels.", valueName: "count"))
  var maxPixels = Options().maxPixels

  @OptionGroup var limit: SizeLimit

  @Option(help: "How to print: text for people, ndjson for programs.")
  var format = Format.text

  /// How verdicts are printed.
  enum Format: String, NamedValue {
    case text, ndjson
  }

  @Flag(name: .shortAndLong, help: "Walk directories, which is done anyhow.")
  var recursive = false

  @Flag(help: "Of directories, take files with any name that begin like a JPEG, too.")
  var allNames = false

  @Flag(name: .shortAndLong, help: "Print what is not proven, only.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print every field that differs, in directories too.")
  var verbose = false

  func validate() throws {
    if record == nil, result == nil {
      throw ValidationError(
        "Name the file before and the file after, or --record and the file after."
      )
    }
    if record != nil, result != nil {
      throw ValidationError("With --record, name the file after alone.")
    }
    guard (1...1024).contains(jobs) else {
      throw ValidationError("--jobs takes a number from 1 to 1024.")
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
    if let record {
      try verifyRecorded(ArgumentPath.path(record), roots.1, printer)
    } else if areDirectories {
      let pairs = DirectoryPairs(original: roots.0, result: roots.1, allNames: allNames)
      Batch(jobs: jobs).forEach(pairs) { [self] pairs in
        pairs.map(report)
      } then: { reports in
        for report in reports { printer.print(report) }
      }
    } else {
      printer.print(report(.both(roots.0, roots.1)))
    }
    try printer.finish(sumsUp: areDirectories)
  }

  /// Compares results with the originals that a record restores.
  private func verifyRecorded(
    _ record: FilePath,
    _ root: FilePath,
    _ printer: VerificationPrinter
  ) throws {
    let restoration = Result {
      try FileRestoration(lookingIn: record, maxPixels: maxPixels, limit: limit)
    }
    let walk = DirectoryPairs.walk(root, allNames: allNames)
    Batch(jobs: jobs).forEach(walk) { [self] items in
      items.compactMap { item -> VerificationReport? in
        switch item {
        case .ignored: return nil
        case .candidate(let found) where !FileReader.mayBeJPEG(at: found.path): return nil
        case .failed(let error): return report(.failed(error))
        case .file(let found), .candidate(let found):
          return recorded(found.path, isNamed: found.path == root, record, restoration)
        }
      }
    } then: { reports in
      for report in reports { printer.print(report) }
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
        // It has no record, or is the original of one.
        report.outcome = .untouched
      }
    } catch {
      report.outcome = .unreadable(nil, .init(any: error))
    }
    return report
  }

  /// Reads a file of a pair whole, for pairs of other formats may be identical.
  ///
  /// Where it is too large, its beginning says whether it is a JPEG file at all.
  private func read(_ path: FilePath) throws -> [UInt8] {
    let file = try FileReader(path)
    return try file.identity.size > limit.maxBytes ? file.readJPEG(limit) : file.readAll(limit)
  }

  /// Compares two files.
  private func compare(_ old: [UInt8], _ new: [UInt8]) -> VerificationReport.Outcome {
    var verifier = Verifier(then: transform)
    verifier.maxPixels = maxPixels
    verifier.requiresLossless = lossless
    do throws(Verifier.Unreadable) {
      var verdict = try verifier.verify(original: old, result: new)
      if old != new { TagComparison(original: old, result: new).add(to: &verdict) }
      return .compared(verdict)
    } catch {
      return .unreadable(error.file, .init(error.error))
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
        outcome: .unreadable(nil, .init(error))
      )
    case .both(let original, let result):
      var report = VerificationReport(original: original, result: result, outcome: .missing)
      do {
        report.outcome = try compare(read(original), read(result))
      } catch {
        report.outcome = .unreadable(nil, .init(any: error))
      }
      return report
    }
  }
}
