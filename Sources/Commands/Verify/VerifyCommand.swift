internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright
internal import Verification

/// `upright verify`, which proves from two files that one is the normalized other.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    _superCommandName: "upright",
    abstract: "Prove that the second file is the first one, losslessly rotated or flipped.",
    discussion: """
      Compares every coefficient, every quantization table and every byte outside of the fields that a transform \
      changes; lists the fields that differ and what was lost. The result may come from any program. Of HEIF, AVIF, TIFF, \
      DNG, PNG, WebP and JPEG XL files, only what states the orientation may differ. Directories \
      are compared file by file; a file without a partner, or of a format that is not compared, is a finding unless the \
      bytes are identical. With --record, the originals are restored from the record in memory, and only the results \
      are needed; every recorded rewrite is checked, or reported as not checked.

      Proven means lossless and complete, with every container of metadata read to its end. A result that was \
      re-encoded in part, or trimmed as by normalize --unaligned trim, is partly proven: it is the original except for what \
      the report names; --lossless rejects both. A result whose thermal data or depth map no longer fits the image is \
      rejected, or partly proven with --registered-data keep.

      Exit status: 0, proven, partly proven or identical; 1, not proven; 2, a file cannot be read.
      """
  )

  @Argument(
    help: ArgumentHelp(
      """
      The original and the result, as files or directories. With --record, results; by default all that the record \
      names.
      """
    ),
    completion: .file()
  )
  var paths: [String] = []

  @Option(
    help: ArgumentHelp(
      "Restore the originals from this record.",
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

  @Flag(help: .of("lossless"))
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

  @Option(
    help: ArgumentHelp(
      """
      Formats of the files in directories, separated by commas.
      """,
      valueName: "formats"
    )
  )
  var formats = FileFormats.all

  @Flag(help: "In directories, process image files with any name.")
  var allNames = false

  @Flag(name: .shortAndLong, help: "Print only what is not proven, not even in part.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help: "Print every field that differs. For two files, that is the default."
  )
  var verbose = false

  func validate() throws {
    if record == nil, paths.count != 2 {
      throw ValidationError("Name the original and the result, or --record and results.")
    }
    try (1...1024).check(jobs ?? 1, of: "--jobs")
  }

  func run() throws {
    let roots = paths.map { ArgumentPath.path($0) }
    let areSeveral =
      record == nil
      ? roots.allSatisfy(\.isDirectory) : roots.count != 1 || roots.contains(where: \.isDirectory)
    let printer = VerificationPrinter(format: format, quiet: quiet, verbose: verbose || !areSeveral)
    let jobs = self.jobs ?? availableCores
    let run = BatchRun(Console(), jobs: jobs, readers: jobs)
    var elsewhere = 0
    if let record {
      elsewhere = verifyRecorded(ArgumentPath.path(record), roots, run, printer)
    } else if areSeveral {
      let pairs = DirectoryPairs(
        original: roots[0],
        result: roots[1],
        formats: formats,
        allNames: allNames
      )
      run.work(on: pairs) { [self] in report($0, with: printer, to: &$1) }
    } else {
      run.work(on: [.both(roots[0], roots[1])]) { [self] in report($0, with: printer, to: &$1) }
    }
    let interruption = Interruption.exitStatus
    if interruption != nil {
      run.console.error("interrupted")
    } else if areSeveral, !quiet, case .text = format {
      run.console.line(run.console.pairs.summary)
      if elsewhere > 0 {
        run.console.line("not checked, because they are elsewhere: \(elsewhere) recorded results")
      }
    }
    try run.console.end(interruption ?? run.console.pairs.exitStatus)
  }

  /// Reads a file of a pair whole, because pairs of other formats may be identical.
  ///
  /// If it is too large, its first bytes show whether it is a JPEG file.
  private func read(_ path: FilePath) throws -> [UInt8] {
    let file = try FileReader(path)
    return try file.identity.size > limit.maxBytes ? file.readJPEG(limit) : file.readAll(limit)
  }

  /// Compares two files.
  func compare(
    _ old: [UInt8],
    _ new: [UInt8],
    then transform: OrientationTransform
  ) -> VerificationReport.Outcome {
    var verifier = Verifier(then: transform)
    verifier.maxPixels = pixels.maxPixels
    verifier.requiresLossless = lossless
    verifier.acceptsRegisteredData = registeredData == .keep
    do throws(UprightError) {
      var verdict = try verifier.verify(original: old, result: new)
      if old != new { verdict.checkUndoData(in: new, of: old, maxPixels: pixels.maxPixels) }
      return .compared(verdict.advised)
    } catch {
      if error.code == .unsupported, ImageFormat(beginning: old.span) != .jpeg {
        return .unchecked(error.message)
      }
      return .unreadable(error.advised())
    }
  }

  /// Compares a pair and prints the result, or counts what is ignored.
  func report(
    _ pair: DirectoryPairs.Pair,
    with printer: VerificationPrinter,
    to printout: inout Printout
  ) {
    func print(_ original: FilePath, _ result: FilePath, _ outcome: VerificationReport.Outcome) {
      let report = VerificationReport(original: original, result: result, outcome: outcome)
      printer.print(report, to: &printout)
    }
    switch pair {
    case .ignored(let reason): printout.pairs.countIgnored(reason)
    case .single(let original, let result, let status): print(original, result, .status(status))
    case .failed(let error):
      print(error.path, error.path, .unreadable(UprightError(error).advised()))
    case .both(let original, let result):
      do {
        // A missing file is a mistake before a directory is one.
        for path in [original, result] { _ = try FileIdentity(of: path) }
        print(original, result, try compare(read(original), read(result), then: transform))
      } catch {
        print(original, result, .unreadable(UprightError(namingFileOf: error).advised()))
      }
    }
  }
}
