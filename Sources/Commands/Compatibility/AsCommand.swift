internal import ArgumentParser

/// `upright as`, which takes the command line of another program.
struct AsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "as",
    _superCommandName: "upright",
    abstract: "Take the options of jpegtran, exiftran, jhead or exifautotran.",
    discussion: """
      Does what the program would do, and keeps what it would lose. An option that Upright does not have is an \
      error. A link to upright with the name of the program does the same.

      EXAMPLES:
        upright as exiftran -ai *.jpg
        upright as jpegtran -rotate 90 -copy all -outfile rotated.jpg photo.jpg
      """
  )

  @Argument(help: "exifautotran, exiftran, jhead or jpegtran.")
  var program: CompatibleProgram

  @Argument(
    parsing: .captureForPassthrough,
    help: "The options and files of that program.",
    completion: .file()
  )
  var arguments: [String] = []

  func run() throws { throw ExitCode(program.run(arguments)) }
}
