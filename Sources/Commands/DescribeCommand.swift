internal import ArgumentParser
internal import PhotoFiles
internal import Reports
internal import Upright

/// `upright describe`, which prints the vocabulary as JSON; tools/dev/make-interfaces writes what other languages and
/// pages need of it.
struct DescribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe",
    _superCommandName: "upright",
    abstract: "Print the settings and their values as JSON.",
    shouldDisplay: false
  )

  func run() throws {
    let console = Console()
    let description = Description(
      errors: Description.Term.errors,
      settings: Setting.all + Setting.ofFiles
    )
    console.line(description.jsonLine)
    try console.end(0)
  }
}
