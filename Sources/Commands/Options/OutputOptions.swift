internal import ArgumentParser
internal import FileSystem

/// The options of how many files are worked on at once and of what is printed.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      How many files to work on at once. By default as many as there are cores; headers of more files are read \
      at once where storage is slow.
      """,
      valueName: "count"
    )
  )
  var jobs: Int?

  @Option(
    help: """
      How to print. For people: text, a line for each file, or table, totals and what needs attention. For \
      programs: csv, ndjson or json.
      """
  )
  var format: OutputFormat?

  @Flag(name: .shortAndLong, help: "Print failures only, and no progress.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help: "Print more: files that are already upright, and what is skipped."
  )
  var verbose = false

  func validate() throws {
    guard (1...1024).contains(jobs ?? 1) else {
      throw ValidationError("--jobs takes a number from 1 to 1024.")
    }
  }

  /// How many files may be worked on at once, each with a whole image in memory.
  var workers: Int { jobs ?? availableCores }

  /// How many headers may be read at once.
  var readers: Int { jobs ?? max(64, availableCores) }

  /// What prints in this way.
  ///
  /// - Parameter standard: The format where none is chosen.
  /// - Returns: The printer.
  func printer(_ standard: OutputFormat = .text) -> Printer {
    Printer(format: format ?? standard, quiet: quiet, verbose: verbose)
  }
}
