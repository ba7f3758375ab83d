internal import Archive
internal import SystemPackage

/// Prints what becomes of the things that a walk or a selection meets, on any thread.
struct ItemPrinter: Sendable {
  let printer: Printer
  /// The command's arguments.
  let roots: [FilePath]
  /// Whether what killed runs left is removed.
  var removesAbandoned = false
  /// What earlier runs have done.
  var journal: Journal?

  /// What is printed of a thing; nil where that is nothing.
  ///
  /// - Parameters:
  ///   - item: What was met.
  ///   - takes: Whether a file is one to work on: the file, its root, and whether its name speaks against it.
  ///   - work: Works on a file and says what became of it.
  /// - Returns: What is printed.
  func printout(
    _ item: Walk.Item,
    takes: (_ path: FilePath, _ root: FilePath, _ isCandidate: Bool) -> Bool,
    work: (_ path: FilePath, _ root: FilePath) -> FileReport
  ) -> Printout? {
    switch item {
    case .failed(let error):
      return printer.printout(FileReport(path: error.path, result: .failed(.init(error))))
    case .skipped(let path, .output) where roots.contains(path):
      return printer.printout(FileReport(path: path, result: .failed(.outputIsInput)))
    case .skipped(let path, .temporary) where removesAbandoned && removeAbandonedFile(path):
      return passedOver("\(TextFormat.path(path)): removed (temporary)")
    case .skipped(let path, let reason):
      return passedOver("\(TextFormat.path(path)): passed over (\(reason.rawValue))")
    case .candidate(let path, let root):
      return takes(path, root, true) ? printout(path, root, work) : nil
    case .file(let path, let root):
      return takes(path, root, false) ? printout(path, root, work) : nil
    }
  }

  private func passedOver(_ text: String) -> Printout? {
    guard printer.verbose, !printer.quiet else { return nil }
    var printout = Printout()
    printout.error.append(line: text)
    return printout
  }

  private func printout(
    _ path: FilePath,
    _ root: FilePath,
    _ work: (FilePath, FilePath) -> FileReport
  ) -> Printout {
    if journal?.isDone(path) == true {
      var printout = Printout()
      printout.tally.countEarlier()
      return printout
    }
    var report = work(path, root)
    report.isNamed = path == root
    do throws(FileError) {
      try journal?.note(report.status, of: path)
    } catch {
      report.warnings.append("the journal could not be written: \(error.message)")
    }
    return printer.printout(report)
  }
}

/// Removes what interrupted runs left anywhere below a directory.
func removeAbandonedFiles(below directory: FilePath) {
  for case .skipped(let path, .temporary) in Walk(roots: [directory], recursive: true) {
    _ = removeAbandonedFile(path)
  }
}
