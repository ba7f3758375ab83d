internal import Archive
internal import ArgumentParser

/// The options of how many files are worked on at once and of what is printed.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      "How many files to work on at once; by default as many as there are cores.",
      valueName: "count"
    )
  )
  var jobs = availableCores

  @Option(
    help: """
      How to print. For people: text, a line for each file, or table, totals and what needs attention. For \
      programs: csv, ndjson or json.
      """
  )
  var format: OutputFormat?

  @Flag(name: .shortAndLong, help: "Print failures only, and no progress.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print more: files that need nothing, and what is skipped.")
  var verbose = false

  func validate() throws {
    guard (1...1024).contains(jobs) else {
      throw ValidationError("--jobs takes a number from 1 to 1024.")
    }
  }

  /// What prints in this way.
  ///
  /// - Parameter standard: The format where none is chosen.
  /// - Returns: The printer.
  func printer(_ standard: OutputFormat = .text) -> Printer {
    Printer(format: format ?? standard, quiet: quiet, verbose: verbose)
  }
}
