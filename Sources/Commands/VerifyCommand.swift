internal import Archive
internal import ArgumentParser
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
      the fields that a turn changes; lists the fields that differ, and what was lost. The result may come \
      from any program. Two directories are compared file by file. With --record the result alone is enough: \
      its original is restored from the record, in memory. Exit status: 0 proven; 1 not; 2 a file \
      cannot be read.
      """
  )

  @Argument(help: "The file or directory before; left out with --record.")
  var original: String

  @Argument(help: "The file or directory that is said to be the same made upright.")
  var result: String?

  @Option(
    help: ArgumentHelp(
      "Compare a result with the original that this record of normalize gives back.",
      valueName: "file"
    )
  )
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Expect that what is seen was turned, too, as by upright rotate: rotate-90, flip-horizontal, …",
      valueName: "turn"
    )
  )
  var turn = Turn.none

  @Option(help: ArgumentHelp("Do not read pictures that claim more pixels.", valueName: "count"))
  var maxPixels = Options().maxPixels

  @OptionGroup var limit: SizeLimit

  @Option(help: "How to print: text for people, ndjson for programs.")
  var format = Format.text

  /// How verdicts are printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, ndjson
  }

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
  }

  func run() throws {
    let console = Console()
    var status: Int32 = 0
    let roots = (ArgumentPath.path(original), ArgumentPath.path(result ?? original))
    func show(_ report: VerificationReport, isNamed: Bool) {
      status = max(status, report.exitStatus)
      guard !quiet || report.exitStatus != 0 else { return }
      switch format {
      case .ndjson: console.line(JSONVerification(report).jsonLine)
      case .text: for line in report.lines(verbose: verbose || isNamed) { console.line(line) }
      }
    }
    if let record {
      try verifyRecorded(ArgumentPath.path(record), roots.1, show)
    } else if isDirectory(roots.0), isDirectory(roots.1) {
      for pair in DirectoryPairs(original: roots.0, result: roots.1, allNames: allNames) {
        show(report(pair), isNamed: false)
      }
    } else {
      show(report(.both(roots.0, roots.1)), isNamed: true)
    }
    try console.end(status)
  }

  /// Compares results with the originals that a record gives back.
  private func verifyRecorded(
    _ record: FilePath,
    _ root: FilePath,
    _ show: (VerificationReport, Bool) -> Void
  ) throws {
    let restoration = Result {
      try FileRestoration(lookingIn: record, maxPixels: maxPixels, limit: limit)
    }
    for item in DirectoryPairs.walk(root, allNames: allNames) {
      switch item {
      case .skipped: continue
      case .candidate(let found) where !FileReader.mayBeJPEG(at: found.path): continue
      case .failed(let error):
        show(report(.failed(error)), true)
      case .file(let found), .candidate(let found):
        let path = found.path
        var report = VerificationReport(original: record, result: path, outcome: .unrecorded)
        do {
          let restoration = try restoration.get()
          let bytes = try FileReader(path).readAll(limit)
          // Without a record there is nothing to compare with.
          if let original = try restoration.undone(bytes, path, true).original {
            report.outcome = try compare(original, bytes)
          }
        } catch {
          report.outcome = .unreadable(nil, .init(any: error))
        }
        show(report, path == root)
      }
    }
  }

  /// Compares two files.
  private func compare(_ old: [UInt8], _ new: [UInt8]) throws -> VerificationReport.Outcome {
    var verifier = Verifier(then: turn)
    verifier.maxPixels = maxPixels
    do throws(Verifier.Unreadable) {
      var verdict = try verifier.verify(original: old, result: new)
      if old != new { TagComparison(old, new).add(to: &verdict) }
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
        report.outcome = try compare(
          FileReader(original).readJPEG(limit),
          FileReader(result).readJPEG(limit)
        )
      } catch {
        report.outcome = .unreadable(nil, .init(any: error))
      }
      return report
    }
  }
}

/// The files of two directories of the same shape, pair by pair.
struct DirectoryPairs: Sequence {
  /// Two files that belong together.
  enum Pair {
    case both(FilePath, FilePath)
    /// The result lacks the file.
    case missing(FilePath, FilePath)
    /// The original lacks the file.
    case extra(FilePath, FilePath)
    case failed(FileError)
  }

  let original: FilePath
  let result: FilePath
  let allNames: Bool

  /// The files of a directory; each name has a counterpart, links too.
  static func walk(_ root: FilePath, allNames: Bool) -> Walk {
    Walk(roots: [root], recursive: true, meetsOnce: false, names: NameRule(allNames: allNames))
  }

  func makeIterator() -> AnyIterator<Pair> {
    var there = Self.walk(original, allNames: allNames).makeIterator()
    var back = Self.walk(result, allNames: allNames).makeIterator()
    return AnyIterator {
      while let item = there.next() {
        switch item {
        case .failed(let error): return .failed(error)
        case .skipped: continue
        case .candidate(let found) where !FileReader.mayBeJPEG(at: found.path): continue
        case .file(let found), .candidate(let found):
          let other = Self.counterpart(of: found.path, from: original, to: result)
          return Self.exists(other) ? .both(found.path, other) : .missing(found.path, other)
        }
      }
      while let item = back.next() {
        switch item {
        case .failed(let error): return .failed(error)
        case .skipped: continue
        case .candidate(let found) where !FileReader.mayBeJPEG(at: found.path): continue
        case .file(let found), .candidate(let found):
          let other = Self.counterpart(of: found.path, from: result, to: original)
          if !Self.exists(other) { return .extra(other, found.path) }
        }
      }
      return nil
    }
  }

  private static func counterpart(
    of path: FilePath,
    from root: FilePath,
    to other: FilePath
  ) -> FilePath {
    var relative = path
    _ = relative.removePrefix(root)
    return other.appending(relative.components)
  }

  private static func exists(_ path: FilePath) -> Bool {
    (try? Syscalls.status(path, followingLinks: true)) != nil
  }
}
