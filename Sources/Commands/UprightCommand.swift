package import ArgumentParser
internal import FileSystem
internal import HEIFDecoder
internal import Reports
internal import SystemPackage

/// The command `upright`.
package struct UprightCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "upright",
    abstract: "Rotate JPEG photos as their Orientation tag specifies, losslessly where possible.",
    discussion: """
      A camera stores the pixels in the order of its sensor and writes the rotation into the Exif Orientation \
      tag, which much software ignores. upright rotates or flips the image itself, updates what depends on it, sets \
      the tag to 1, and keeps the other metadata byte for byte.

      Exit status of every command: 0, all files are done or unchanged; 1, findings, such as a skipped file; 2, \
      a file failed or output could not be written; 64, wrong usage; 130 or 143, interrupted.
      """,
    version: version,
    subcommands: [
      NormalizeCommand.self, AuditCommand.self, InspectCommand.self, VerifyCommand.self,
      UndoCommand.self, RotateCommand.self, FlipCommand.self, TransposeCommand.self,
      TransverseCommand.self, CropCommand.self, TagCommand.self, ConvertCommand.self,
      ServeCommand.self, AsCommand.self, DescribeCommand.self,
    ]
  )

  /// The version of the command and of the library.
  package static let version = Version.current

  package init() {}
}

extension UprightCommand {
  /// Runs the command in the arguments of the process, and ends the process with its exit status.
  package static func runProcess() -> Never {
    do throws(Errno) {
      try StandardStreams.prepare()
    } catch {
      Console().error("cannot prepare the standard streams: \(error)")
      Syscalls.end(2)
    }
    // Swift reads them from /proc. Without it there is not even the name of the program, and only the help would be printed.
    if CommandLine.argc == 0 {
      Console().error("cannot read the arguments: /proc is not mounted")
      Syscalls.end(2)
    }
    if IsolatedHEIFConverter.decodeIfStarted() { Syscalls.end(0) }
    if let call = CompatibleProgram.called(ArgumentPath.arguments) {
      Syscalls.end(call.program.run(call.arguments))
    }
    let arguments = CommandLineAdvice.corrected(ArgumentPath.arguments)
    if arguments == ["--version"] {
      let console = Console()
      console.line(version)
      Syscalls.end(console.status(0))
    }
    do {
      var command = try parse(arguments)
      try command.run()
      Syscalls.end(0)
    } catch {
      Syscalls.end(status(printing: error, arguments))
    }
  }

  /// Returns the command in the arguments of the process.
  ///
  /// - Throws: The text to print instead.
  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    if let command = directly(arguments) { return command }
    let names = configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { $0.configuration.commandName ?? "" }
    let programs = CompatibleProgram.allCases.map(\.rawValue)
    if let advice = CommandLineAdvice.advice(arguments, names, programs: programs) {
      throw ValidationError(advice)
    }
    return try parseAsRoot(arguments)
  }

  /// Returns the command that the first argument names, without the parser or parsed without the root command, or nil
  /// if its arguments are wrong or ask for help.
  ///
  /// Error messages and help require the whole parser, which is slower to prepare. Because the commands name their
  /// super-command, the parser does not look for a request of completion scripts, which the root command answers.
  private static func directly(_ arguments: [String]) -> (any ParsableCommand)? {
    let rest = arguments.dropFirst()
    func isNamed(_ type: any ParsableCommand.Type) -> Bool {
      type.configuration.commandName == arguments.first && type.configuration.subcommands.isEmpty
    }
    func read<Command: ParsableCommand & DeclaredOptions>(_: Command.Type) -> Command? {
      Command(reading: rest)
    }
    if let type = declared.first(where: isNamed), let command = read(type) { return command }
    guard let found = configuration.subcommands.first(where: isNamed),
      let command = try? found.parseAsRoot(Array(rest)), type(of: command) == found
    else { return nil }
    return command
  }

  /// The commands that may be read without the parser: programs start them for each of many files.
  private static let declared: [any (ParsableCommand & DeclaredOptions).Type] = [
    NormalizeCommand.self, AuditCommand.self, RotateCommand.self, FlipCommand.self,
    TransposeCommand.self, TransverseCommand.self,
  ]

  /// Returns the command that the first arguments name.
  private static func command(_ arguments: [String]) -> (any ParsableCommand.Type)? {
    func find(_ name: String?, _ types: [any ParsableCommand.Type]) -> (any ParsableCommand.Type)? {
      types.first { $0.configuration.commandName == name }
    }
    guard let command = find(arguments.first, configuration.subcommands) else { return nil }
    return find(arguments.dropFirst().first, command.configuration.subcommands) ?? command
  }

  /// Prints the message of an error; help and version are errors, too.
  private static func status(printing error: any Error, _ arguments: [String]) -> Int32 {
    // A run that only has a status has no message; the parser prepares its help to find that out.
    if let status = error as? ExitCode { return status.rawValue }
    let status = exitCode(for: error).rawValue
    var message = fullMessage(for: error)
    if !message.isEmpty, status != 0, let command = command(arguments) {
      let help = helpMessage(for: command, includeHidden: true)
      message = CommandLineAdvice.completed(message, options: HelpText.options(help))
    }
    let text = arguments.contains("-h") ? HelpText.brief(message) : HelpText.arranged(message)
    guard !text.isEmpty else { return status }
    let console = Console()
    if status == 0 { console.line(text) } else { console.error(text) }
    return console.status(status)
  }
}
