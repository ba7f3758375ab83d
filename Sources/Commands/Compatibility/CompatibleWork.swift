internal import FileSystem
internal import PhotoFiles
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// The work that a call of jpegtran, exiftran, jhead or exifautotran requests.
struct CompatibleWork {
  /// What is done with each file, and the policies and limits.
  var rewriter: Rewriter
  /// The files; none for standard input.
  var files: [String]
  var destination = Destination.inPlace
  /// The suffix of the names under which originals are kept.
  var backupSuffix: String?
  /// The time of a file that is replaced.
  var times = FileTimes.now
  /// Whether a symbolic link is replaced by the result, and its target is kept.
  var replacesLinks = false
  /// What is printed to standard error before the name of each file.
  var announcement: String?
  /// What is printed to standard output before the name of a file that was rewritten.
  var confirmation: String?

  /// Processes the files, and prints what is wrong with them to standard error.
  ///
  /// - Returns: The exit status: 0, or 1 if a file failed or was skipped.
  func run(as program: CompatibleProgram) -> Int32 {
    Interruption.observe()
    ProcessMemory.reuse()
    let console = Console()
    let rewrite = rewrite
    var status: Int32 = 0
    if files.isEmpty {
      let report = FileReport(StandardStreams.path) { try rewrite.standardInputReport() }
      status = print(report, program, console)
    }
    for file in files where !Interruption.isPending {
      let path = ArgumentPath.path(file)
      if let announcement { console.error(announcement + TextFormat.path(path)) }
      if let report = rewrite.result(of: Walk.Found(path, root: path)) {
        status = max(status, print(report, program, console))
      }
    }
    return Interruption.exitStatus ?? console.status(status)
  }

  private var rewrite: FileRewrite {
    var rewriter = rewriter.embeddingUndo(inAll: false)
    rewriter.options.makesUndo = false
    if rewriter.options.maxMemory == nil { rewriter.options.maxMemory = ProcessMemory.ofMachine }
    if files.count <= 1 { rewriter.useAllCores() }
    // Like the original programs; the other names keep the old content.
    var replacement = AtomicReplacement(
      hardLinks: .break,
      backupSuffix: backupSuffix.map { Array($0.utf8) },
      times: times
    )
    replacement.replacesLinks = replacesLinks
    var policy = FilePolicy()
    policy.destinations = .only(destination)
    // Like the original programs.
    policy.sidecars = .report
    policy.replacement = replacement
    policy.creation = AtomicCreation(overwrite: true, times: .now, protection: .access)
    policy.protection = .access
    // These programs report only by their exit status.
    policy.copiesSkipped = false
    return FileRewrite(rewriter, policy)
  }

  /// Returns what is wrong with a file, with the command that decides what the original programs have no options for.
  private func finding(_ report: FileReport) -> String {
    let advised = report.advised()
    let isDecided = report.reasonToSkip?.remedies.contains { remedy in
      if case .policy = remedy.step { true } else { false }
    }
    guard rewriter.request.reliesOnTag, !files.isEmpty, isDecided == true else {
      return report.text
    }
    return advised.text
      + "; these are options of: upright normalize \(TextFormat.quoted(TextFormat.path(report.path)))"
  }

  /// Prints what is wrong with a file, or that it was rewritten.
  private func print(
    _ report: FileReport,
    _ program: CompatibleProgram,
    _ console: Console
  ) -> Int32 {
    let name = TextFormat.path(report.path)
    var messages = report.warnings.map(\.text) + report.companionTexts
    let isFinding = report.status == .failed || report.status == .skipped
    if isFinding { messages.insert(finding(report), at: 0) }
    for message in messages {
      console.error("\(program.rawValue): \(name): \(TextFormat.escaped(message))")
    }
    if let confirmation, report.rewrite != nil { console.line(confirmation + name) }
    return isFinding || report.companionFailed ? 1 : 0
  }
}

extension Options {
  /// Options by which an Orientation without a meaning is set to 1, as jhead and exiftran do.
  static var resettingInvalid: Options {
    var options = Options()
    options.resetsInvalid = true
    return options
  }
}
