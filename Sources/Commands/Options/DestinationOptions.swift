internal import ArgumentParser
internal import FileSystem
internal import SystemPackage

/// The options of where results go.
struct DestinationOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the result to this file; - is standard output. For one input only.",
      valueName: "file"
    ),
    completion: .file()
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write the results into this directory, in the same tree.",
      valueName: "dir"
    ),
    completion: .directory
  )
  var outputDir: String?

  @Flag(help: "Replace outputs that exist already.")
  var overwrite = false

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done; write nothing.")
  var dryRun = false

  /// - Parameters:
  ///   - paths: The command's arguments.
  ///   - files: Which files to work on.
  /// - Throws: `ValidationError`, where options contradict each other.
  func check(_ paths: [String], _ files: SelectionOptions) throws {
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other.")
    }
    if output != nil, paths.count != 1 || files.filesFrom != nil {
      throw ValidationError("-o takes one input; use --output-dir for several.")
    }
  }

  /// The directory of the outputs.
  var directory: FilePath? { outputDir.map { ArgumentPath.path($0) } }

  /// Where the result of a file goes that has no directory of its own for it.
  var only: Destination {
    switch output {
    case nil: .inPlace
    case "-"?: .standardOutput
    case let path?: .file(ArgumentPath.path(path))
    }
  }

  /// Whether files are replaced.
  var isInPlace: Bool { output == nil && outputDir == nil }

  /// Where the results of some files go.
  func destinations(of selection: Selection) -> Destinations {
    guard let directory else { return .only(only) }
    return .names(OutputNames(selection.tree(in: directory), repeats: selection.repeats))
  }

  /// How outputs are made that do not replace their input.
  func creation(touch: Bool = false) -> AtomicCreation {
    AtomicCreation(overwrite: overwrite, createDirectories: outputDir != nil, touch: touch)
  }
}

/// Where a result goes.
enum Destination: Sendable {
  case inPlace
  case file(FilePath)
  case standardOutput
}

/// Where the results of a run go.
enum Destinations: Sendable {
  /// All there.
  case only(Destination)
  /// Into files whose names are made of those of the inputs.
  case names(OutputNames)
  /// Below a directory, with all components of their paths; none of them leads upwards.
  case below(FilePath)

  /// Where the result of a file goes; nil where the run has put it there already.
  ///
  /// - Throws: ``FileError`` `output-collision`, where another file has its output.
  func destination(of file: Walk.Found) throws(FileError) -> Destination? {
    switch self {
    case .only(let destination): destination
    case .names(let names): try names.output(for: file.path, root: file.root).map { .file($0) }
    case .below(let directory): .file(directory.appending(file.path.components))
    }
  }
}

/// The option of what happens to files with several names.
struct HardLinkOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What to do with a file that has more names than one: refuse it, or break the link.",
      valueName: "policy"
    )
  )
  var hardLinks = HardLinks.refuse
}

/// The option of what times results get.
struct TimeOption: ParsableArguments {
  @Flag(help: "Give the results the present time instead of the times of their originals.")
  var touch = false
}

extension HardLinks: NamedValue {}
