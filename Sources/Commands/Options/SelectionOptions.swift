internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import PhotoFiles
internal import SystemPackage

/// The options that select files.
struct SelectionOptions: DeclaredOptions {
  var names = NameOptions()
  var parts = PartOptions()
  var limit = SizeLimit()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.group(&names, "names", title: "Files")
    try visitor.group(&parts, "parts", title: "Advanced")
    try visitor.group(&limit, "limit", title: "Advanced")
  }

  /// The file that lists paths.
  var filesFrom: String? { names.filesFrom }

  /// The byte after each path of a list.
  var terminator: UInt8 { names.null ? 0 : UInt8(ascii: "\n") }

  /// Returns the files that `paths` and the options select.
  func selection(
    _ paths: [String],
    recursive: Bool,
    outputDirectory: FilePath? = nil,
    formats: Set<ImageFormat> = [.jpeg],
    distinguishesFormats: Bool = false,
    backup: String? = nil,
    meetsOnce: Bool = true
  ) -> Selection {
    var rule = NameRule(
      formats: formats,
      allNames: names.allNames,
      backupSuffix: backup.map(ArgumentPath.bytes)
    )
    rule.distinguishesFormats = distinguishesFormats
    var walk = Walk(
      roots: paths.map { ArgumentPath.path($0) },
      recursive: recursive,
      includesHidden: names.hidden,
      links: parts.follow,
      meetsOnce: meetsOnce,
      names: rule,
      filter: PathFilter(
        included: names.include.map(ArgumentPath.bytes),
        excluded: names.exclude.map(ArgumentPath.bytes)
      ),
      outputDirectory: outputDirectory
    )
    walk.includesSystem = names.systemFolders
    return Selection(
      walk,
      list: filesFrom.map {
        PathList(ArgumentPath.path($0), endingWith: terminator)
      },
      shard: parts.shard
    )
  }

  /// Checks that there is an input, and that options do not contradict each other.
  ///
  /// - Parameters:
  ///   - paths: The inputs.
  ///   - taken: Options whose value may have been meant as an input.
  /// - Throws: `ValidationError`.
  func check(_ paths: [String], taken: [(option: String, value: String?)] = []) throws {
    if paths.isEmpty, filesFrom == nil {
      let values = taken.compactMap { option, value in
        value.map { " \(TextFormat.escaped($0)) was taken for the value of \(option)." }
      }
      throw ValidationError(
        "Name files or directories, or a list of them with --files-from." + values.joined()
      )
    }
    if names.null, filesFrom == nil { throw ValidationError("-0 requires --files-from.") }
    if filesFrom == "-", paths.contains("-") {
      throw ValidationError("Standard input cannot be both the list and the image.")
    }
  }
}

/// The option of commands that search directories only on request.
struct RecursionOption: DeclaredOptions {
  var recursive = false

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.flag(&recursive, "recursive", short: "r", help: "Search directories recursively.")
  }
}

/// The same option of commands that always search directories.
struct AlwaysRecursiveOption: DeclaredOptions {
  var recursive = false

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.flag(
      &recursive,
      "recursive",
      short: "r",
      help: ArgumentHelp("Search directories recursively; always on.", visibility: .hidden)
    )
  }
}

/// The options that select directories, lists and names.
struct NameOptions: DeclaredOptions {
  var filesFrom: String?
  var null = false
  var include: [String] = []
  var exclude: [String] = []
  var allNames = false
  var hidden = false
  var systemFolders = false

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &filesFrom,
      "files-from",
      help: ArgumentHelp(
        "Read more paths from this file, one per line; - is standard input.",
        valueName: "file"
      ),
      completion: .file()
    )
    try visitor.flag(
      &null,
      "null",
      short: "0",
      help: "The paths of --files-from end with NUL, as written by find -print0."
    )
    try visitor.options(
      &include,
      "include",
      help: ArgumentHelp(
        """
        In directories, process only files that match this pattern, such as '*.jpg' or '2024/*'; may be repeated. A \
        pattern without a slash is compared with the file name, one with a slash with the path below the directory.
        """,
        valueName: "glob"
      )
    )
    try visitor.options(
      &exclude,
      "exclude",
      help: ArgumentHelp(
        "Exclude files and directories that match this pattern; may be repeated.",
        valueName: "glob"
      )
    )
    try visitor.flag(
      &allNames,
      "all-names",
      help: """
        In directories and lists, process files with any name that begin like a photo. Backups are still ignored.
        """
    )
    try visitor.flag(
      &hidden,
      "hidden",
      help: "Search hidden directories, whose names begin with a dot."
    )
    try visitor.flag(
      &systemFolders,
      "system-folders",
      help: """
        Search the directories of systems and storage devices: recycle bins, snapshots and thumbnails, such as #recycle, \
        @eaDir and $RECYCLE.BIN.
        """
    )
  }
}

/// The options for links and for parts of the files.
struct PartOptions: DeclaredOptions {
  var follow = Walk.LinkPolicy.files
  var shard: Shard?

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &follow,
      "follow",
      help: ArgumentHelp(
        "Which symbolic links in directories to follow.",
        valueName: "links"
      )
    )
    try visitor.option(
      &shard,
      "shard",
      help: ArgumentHelp(
        """
        Process only part K of N, counted from 0, so that N processes can share the files. The part of a file \
        depends only on its path as given.
        """,
        valueName: "k/n",
        visibility: .hidden
      ),
      transform: Shard.init(parsing:)
    )
  }
}

extension Walk.LinkPolicy: NamedValue {}
