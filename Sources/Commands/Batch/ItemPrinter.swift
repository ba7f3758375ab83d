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

  /// What is printed of things.
  ///
  /// - Parameters:
  ///   - items: What was met.
  ///   - takes: Whether a file is one to work on: the file, and whether its name speaks against it.
  ///   - work: Works on a file and says what became of it.
  /// - Returns: What is printed.
  func printout(
    _ items: [Walk.Item],
    takes: (_ file: Walk.Found, _ isCandidate: Bool) -> Bool,
    work: (_ file: Walk.Found) -> FileReport
  ) -> Printout {
    var printout = Printout()
    for item in items {
      switch item {
      case .failed(let error):
        printer.print(FileReport(path: error.path, result: .failed(.init(error))), to: &printout)
      case .skipped(let path, .output) where roots.contains(path):
        printer.print(FileReport(path: path, result: .failed(.outputIsInput)), to: &printout)
      case .skipped(let path, .temporary) where removesAbandoned && removeAbandonedFile(path):
        passOver("\(TextFormat.path(path)): removed (temporary)", &printout)
      case .skipped(let path, let reason):
        passOver("\(TextFormat.path(path)): passed over (\(reason.rawValue))", &printout)
      case .candidate(let file): if takes(file, true) { print(file, work, &printout) }
      case .file(let file): if takes(file, false) { print(file, work, &printout) }
      }
    }
    return printout
  }

  private func passOver(_ text: String, _ printout: inout Printout) {
    guard printer.verbose, !printer.quiet else { return }
    printout.error.append(line: text)
  }

  private func print(
    _ file: Walk.Found,
    _ work: (Walk.Found) -> FileReport,
    _ printout: inout Printout
  ) {
    if journal?.isDone(file.path) == true {
      printout.tally.countEarlier()
      return
    }
    var report = work(file)
    report.isNamed = file.isNamed
    report.folder = file.directory
    do throws(FileError) {
      try journal?.note(report.status, of: file.path)
    } catch {
      report.warnings.append("the journal could not be written: \(error.message)")
    }
    printer.print(report, to: &printout)
  }
}

/// Removes what interrupted runs left anywhere below a directory.
func removeAbandonedFiles(below directory: FilePath) {
  for case .skipped(let path, .temporary) in Walk(roots: [directory], recursive: true) {
    _ = removeAbandonedFile(path)
  }
}
