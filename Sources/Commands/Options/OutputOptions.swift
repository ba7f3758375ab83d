internal import ArgumentParser
internal import FileSystem
internal import SystemPackage

/// The options for parallel work and for what is printed.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      Number of files to process at once. Default: the number of cores; on slow storage, the headers of more \
      files are read at once.
      """,
      valueName: "count"
    )
  )
  var jobs: Int?

  @Option(
    help: """
      Output format. A line for each file, totals and what needs attention, or one of three for programs.
      """
  )
  var format: OutputFormat?

  @Flag(name: .shortAndLong, help: "Print only errors and warnings. There is no progress, either.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help: """
      Also list files that are already upright or ignored. On a terminal, list each of many files.
      """
  )
  var verbose = false

  func validate() throws {
    try (1...1024).check(jobs ?? 1, of: "--jobs")
  }

  /// The number of files that may be processed at once, each with a whole image in memory.
  var workers: Int { jobs ?? availableCores }

  /// The number of headers that may be read at once.
  var readers: Int { jobs ?? max(64, availableCores) }

  /// Returns a printer for these options.
  func printer(_ standard: OutputFormat = .text) -> Printer {
    Printer(
      format: format ?? standard,
      quiet: quiet,
      verbose: verbose,
      isBrief: !verbose && StandardStreams.isTerminal(.standardOutput),
      palettes: (Palette(.standardOutput), Palette(.standardError))
    )
  }
}

extension BatchRun {
  /// Begins a run with the number of workers that the options give.
  init(_ output: OutputOptions, _ console: Console) {
    self.init(console, jobs: output.workers, readers: output.readers)
  }
}
