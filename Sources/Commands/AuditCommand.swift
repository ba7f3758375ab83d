internal import Archive
internal import ArgumentParser
internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// `upright audit`: what would be done, and why; nothing is written.
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Tell for each file what a normalization would do, and why; write nothing.",
    discussion: """
      Reads only the files' headers. Directories are walked. The columns are: stored size, sampling, coding, \
      EXIF orientation, file, and what would be done.
      """
  )

  @Argument(help: "Files and directories.")
  var paths: [String]

  @OptionGroup var policy: PolicyOptions

  @Option(help: "How to print: text for people, ndjson for programs.")
  var format = OutputFormat.text

  @Flag(name: .shortAndLong, help: "Print the summary only.")
  var quiet = false

  func run() throws {
    Syscalls.reportWriteSignalsAsErrors()
    let console = Console(format: format, quiet: quiet)
    let normalizer = Normalizer(options: policy.options)
    for item in Walk(roots: paths.map { ArgumentPath.path($0) }, recursive: true) {
      switch item {
      case .skipped: continue
      case .failed(let error):
        console.print(FileReport(path: error.path, result: .failed(.init(error))), row: Self.row)
      case .file(let path, _):
        var report: FileReport
        do {
          let plan = try normalizer.plan(try FileReader(path))
          report = FileReport(path: path, result: .planned(plan))
        } catch {
          report = FileReport(path: path, result: .failed(.init(any: error)))
        }
        console.print(report, row: Self.row)
      }
    }
    try console.finish(always: true)
  }

  /// A line of the table.
  private static func row(_ report: FileReport) -> String {
    let picture = report.plan?.picture
    let columns = [
      (picture.map { "\($0.width)×\($0.height)" } ?? "-", 11),
      (picture?.sampling ?? "-", 9),
      (picture?.coding ?? "-", 11),
      (picture?.orientation.map { "\($0.rawValue)" } ?? "-", 1),
    ]
    return columns.map { TextFormat.column($0.0, $0.1) }.joined(separator: "  ")
      + "  \(TextFormat.path(report.path)): \(TextFormat.action(report))"
  }
}
