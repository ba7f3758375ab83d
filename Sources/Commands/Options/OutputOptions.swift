internal import ArgumentParser
internal import FileSystem
internal import SystemPackage

/// The options for parallel work and for what is printed.
struct OutputOptions: DeclaredOptions {
  var jobs: Int?
  var format: OutputFormat?
  var quiet = false
  var verbose = false

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &jobs,
      "jobs",
      short: "j",
      allowingJoined: true,
      help: ArgumentHelp(
        """
        Number of files to process at once. Default: the number of cores; on slow storage, the headers of more \
        files are read at once.
        """,
        valueName: "count"
      )
    )
    try visitor.option(
      &format,
      "format",
      help: """
        Output format. A line for each file, totals and what needs attention, or one of three for programs.
        """
    )
    try visitor.flag(
      &quiet,
      "quiet",
      short: "q",
      help: "Print only errors and warnings. There is no progress, either."
    )
    try visitor.flag(
      &verbose,
      "verbose",
      short: "v",
      help: """
        Also list files that are already upright or ignored. On a terminal, list each of many files.
        """
    )
  }

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
