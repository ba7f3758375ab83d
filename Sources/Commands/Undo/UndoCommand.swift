internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import PhotoFiles
internal import Records
internal import SystemPackage
internal import Upright

/// `upright undo`, which restores the originals byte for byte.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    _superCommandName: "upright",
    abstract:
      "Restore the original files, byte for byte, from a record or the files.",
    discussion: """
      With --record but without paths, restores in place every file in the record: those below the working directory, or all of them if \
      the record is yours and nobody else can read or write it, as normalize --record creates it. With paths, \
      restores those files, even if they were moved or renamed: a record is found by the file's hash.

      A file is written only if its hash is that of the recorded result and the restored original has the \
      recorded hash.

      Without --record, restores the files at the paths from the undo data in them, as written by normalize \
      --embed-undo. --strip removes that data and changes nothing else.

      EXAMPLES:
        upright undo --record record.ndjson
        upright undo --record record.ndjson -n
        upright undo --record record.ndjson -r moved/photos
        upright undo photo.jpg
      """
  )

  @Option(
    help: ArgumentHelp(
      "Restore from this record. Without it, the undo data in the files is used.",
      valueName: "file"
    )
  )
  var record: String?

  @Argument(help: "Files and directories to restore. By default, all files in the record.")
  var paths: [String] = []

  @Flag(help: "Undo only the last rewrite of each file. By default, all are undone.")
  var last = false

  @Flag(
    name: [.long, .customLong("strip-undo")],
    help: "Remove the undo data from the files instead of using it."
  )
  var strip = false

  @Flag(
    help: """
      Also restore copies that are found in directories: files with the content of a recorded result, although the \
      recorded file still exists elsewhere.
      """
  )
  var copies = false

  @Flag(help: .of("without-sidecars"))
  var withoutSidecars = false

  @OptionGroup(title: "Results") var destination: DestinationOptions

  @OptionGroup(title: "Results") var report: ReportOptions

  @OptionGroup(title: "Files") var recursion: RecursionOption

  @OptionGroup var files: SelectionOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  @OptionGroup(title: "Advanced") var replacement: ReplacementOptions

  @OptionGroup(title: "Advanced") var pixels: PixelLimit

  func validate() throws {
    if record == nil, isAll {
      throw ValidationError("Name files or directories with undo data, or a record with --record.")
    }
    if strip, record != nil || last {
      throw ValidationError("--strip cannot be combined with --record or --last.")
    }
    if isAll {
      let (names, parts) = (files.names, files.parts)
      if !names.include.isEmpty || !names.exclude.isEmpty || parts.shard != nil {
        throw ValidationError(
          "--include, --exclude and --shard select from directories and lists: name those to restore."
        )
      }
    } else {
      try files.check(paths)
    }
    let folder = paths.first { ArgumentPath.path($0).isDirectory }
    if !recursion.recursive, let folder {
      let name = TextFormat.quoted(TextFormat.escaped(folder))
      throw ValidationError("\(name) is a directory; to search it, add -r.")
    }
    try destination.check(paths, files)
    try report.check(isDry: destination.dryRun)
    try OwnFiles.check(
      [("--record", record), ("--report", report.report), ("--html", report.html)],
      inputs: [],
      output: destination.output
    )
  }

  /// Whether all files of the record are restored.
  private var isAll: Bool { paths.isEmpty && files.filesFrom == nil }

  func run() throws {
    ProcessMemory.reuse()
    let isDry = destination.dryRun
    let isImage = !isDry && destination.output == "-"
    var printer = output.printer()
    var run = BatchRun(output, Console(printer, outputIsImage: isImage))
    run.reports = try run.open { () throws(FileError) in isDry ? nil : try report.opened() }
    printer.page = try run.open { () throws(FileError) in
      try report.page(Page.Settings(.report, of: "undo", Options()))
    }
    run.console = Console(printer, outputIsImage: isImage)
    let path = record.map { ArgumentPath.path($0) }
    do throws(FileError) {
      let index = try path.map { path throws(FileError) in try RecordIndex(path) }
      if let index, let path {
        for error in index.errors {
          run.console.print(FileReport(path: path, result: .failed(error)))
        }
      }
      if !isDry { BatchRun.removeAbandonedFiles(below: destination.directory) }
      let selection = files.selection(
        paths,
        recursive: recursion.recursive && destination.output == nil,
        outputDirectory: destination.directory,
        formats: index?.formats ?? [.jpeg],
        meetsOnce: destination.isInPlace
      )
      let restoration = try restoration(from: index, of: selection)
      if isAll, let index, let path {
        run.work(restoration, on: try recorded(in: index, at: path, restoration, run))
      } else {
        run.work(restoration, on: selection)
      }
    } catch {
      // An interrupted run has looked at no file.
      if error.problem != .interrupted {
        let report = FileReport(path: path ?? error.path, result: .failed(UprightError(error)))
        run.console.print(report)
      }
    }
    try run.console.finish()
  }

  private func restoration(
    from index: RecordIndex?,
    of selection: Selection
  ) throws(FileError) -> FileRestoration {
    var restoration = try FileRestoration(
      index,
      policy(of: selection),
      options: files.limit.options(maxPixels: pixels.maxPixels)
    )
    restoration.takesSidecars = destination.output == nil && (index != nil || strip)
    restoration.sidecarsOfPhotos = index.map { FileRestoration.sidecarsOfPhotos(in: $0) }
    restoration.maxSteps = last ? 1 : .max
    restoration.skipsCopies = !copies
    restoration.strips = strip
    restoration.followsRecord = isAll
    return restoration
  }

  private func policy(of selection: Selection) -> FilePolicy {
    var policy = FilePolicy()
    policy.destinations = destination.destinations(of: selection)
    if isAll, let directory = destination.directory { policy.destinations = .below(directory) }
    policy.replacement = replacement.atomic(
      remembersAll: destination.isInPlace ? isAll || selection.repeats : nil
    )
    policy.creation = destination.creation(replacement.time, replacement.readOnly)
    policy.protection = replacement.readOnly.rule
    if withoutSidecars { policy.sidecars = .ignore }
    policy.isDry = destination.dryRun
    return policy
  }

  /// Returns the files of a record that are restored; of a record that others could have written, only those below the working
  /// directory, and names the others, like those whose place is not known.
  private func recorded(
    in index: RecordIndex,
    at path: FilePath,
    _ restoration: FileRestoration,
    _ run: BatchRun
  ) throws(FileError) -> [Walk.Item] {
    let base = try workingDirectory()
    let unplaced = index.entries.count(where: \.lacksBase)
    if unplaced > 0 {
      let error = UprightError(
        unplaced: unplaced,
        of: index.entries.count,
        record: record ?? ""
      )
      run.console.print(FileReport(path: path, result: .failed(error)))
    }
    var files = index.files(
      below: base,
      besides: restoration.sidecarsOfPhotos ?? [],
      takesSidecars: !withoutSidecars
    )
    let outside = files.filter(\.path.isAbsolute)
    if !outside.isEmpty, destination.directory == nil, !Self.isPrivate(path) {
      let error = UprightError(
        outside: outside.map(\.path),
        of: files.count,
        record: record ?? ""
      )
      run.console.print(FileReport(path: path, result: .failed(error)))
      files.removeAll(where: \.path.isAbsolute)
    }
    if destination.isInPlace, !destination.dryRun {
      for folder in Set(files.map { base.pushing($0.path).removingLastComponent() }) {
        removeAbandonedFiles(in: folder)
      }
    }
    return files.map { .file($0) }
  }

  /// Whether a record file belongs to the user, and nobody else can read or write it.
  ///
  /// A record of somebody else could name any file.
  private static func isPrivate(_ record: FilePath) -> Bool {
    guard let identity = try? FileIdentity(of: record) else { return false }
    return identity.isOfThisUser && identity.permissions & 0o077 == 0
  }
}
