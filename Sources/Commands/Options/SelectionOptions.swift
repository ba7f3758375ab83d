internal import ArgumentParser
internal import FileSystem
internal import SystemPackage

/// The options that say which files to work on.
struct SelectionOptions: ParsableArguments {
  @OptionGroup(title: "Files") var names: NameOptions

  @OptionGroup(title: "Advanced") var parts: PartOptions

  @OptionGroup(title: "Advanced") var limit: SizeLimit

  /// The file that lists paths.
  var filesFrom: String? { names.filesFrom }

  /// The files that `paths` and the options stand for.
  ///
  /// - Parameters:
  ///   - paths: The command's arguments.
  ///   - recursive: Whether directories are walked.
  ///   - outputDirectory: Where outputs go that get a directory of their own.
  ///   - kind: The kind of file to take.
  ///   - backup: What is put after the names of originals that are kept.
  ///   - meetsOnce: Whether a file is taken under one of its names alone.
  /// - Returns: The files.
  func selection(
    _ paths: [String],
    recursive: Bool,
    outputDirectory: FilePath? = nil,
    kind: NameRule.Kind = .jpeg,
    backup: String? = nil,
    meetsOnce: Bool = true
  ) -> Selection {
    Selection(
      walk: Walk(
        roots: paths.map { ArgumentPath.path($0) },
        recursive: recursive,
        includesHidden: names.hidden,
        links: parts.follow,
        meetsOnce: meetsOnce,
        names: NameRule(
          kind: kind,
          allNames: names.allNames,
          backupSuffix: backup.map(ArgumentPath.bytes)
        ),
        filter: PathFilter(
          included: names.include.map(ArgumentPath.bytes),
          excluded: names.exclude.map(ArgumentPath.bytes)
        ),
        outputDirectory: outputDirectory
      ),
      list: filesFrom.map {
        PathList(ArgumentPath.path($0), endingWith: names.null ? 0 : UInt8(ascii: "\n"))
      },
      shard: parts.shard
    )
  }

  /// - Throws: `ValidationError`, when there is nothing to work on.
  func check(_ paths: [String]) throws {
    if paths.isEmpty, filesFrom == nil {
      throw ValidationError("Name files or directories, or a list of them with --files-from.")
    }
    if names.null, filesFrom == nil { throw ValidationError("-0 needs --files-from.") }
    if filesFrom == "-", paths.contains("-") {
      throw ValidationError("Standard input is either the list or the image.")
    }
  }
}

/// The options of which directories, lists and names to take.
struct NameOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: "Walk directories; audit, verify and tag get do without being told."
  )
  var recursive = false

  @Option(
    help: ArgumentHelp(
      "Read more paths from this file, one on each line; - is standard input.",
      valueName: "file"
    ),
    completion: .file()
  )
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "The paths of --files-from end with NUL, as those of find -print0."
  )
  var null = false

  @Option(
    help: ArgumentHelp(
      """
      Of directories, take only files that match, as in '*.jpg' or '2024/*'; may be repeated. A pattern \
      without a slash is compared with the name, one with a slash with the path below the directory.
      """,
      valueName: "glob"
    )
  )
  var include: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out files and directories that match; may be repeated.",
      valueName: "glob"
    )
  )
  var exclude: [String] = []

  @Flag(
    help: """
      Of directories and lists, take files with any name that have the right content; backups are skipped \
      nevertheless.
      """
  )
  var allNames = false

  @Flag(help: "Enter directories whose names begin with a dot.")
  var hidden = false
}

/// The options of which links to follow, and of which part of the files to take.
struct PartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which symbolic links in directories to follow: none, those to files, or all.",
      valueName: "links"
    )
  )
  var follow = Walk.LinkPolicy.files

  @Option(
    help: ArgumentHelp(
      """
      Work only on part K of N, counting from 0, so that N processes share the files. The part of a file \
      depends on its path as it is given, and on nothing else.
      """,
      valueName: "k/n"
    )
  )
  var shard: Shard?
}

extension Walk.LinkPolicy: NamedValue {}
