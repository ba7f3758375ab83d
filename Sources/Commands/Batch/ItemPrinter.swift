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
  /// The files that this run has met, where each is worked on once.
  var met: MetFiles?

  /// What is printed of things.
  ///
  /// - Parameters:
  ///   - items: What was met.
  ///   - takes: Whether a file is one to work on: the file, and whether its name speaks against it.
  ///   - work: Works on a file and returns what became of it; nil where the run has met the file before.
  /// - Returns: What is printed.
  func printout(
    _ items: [Walk.Item],
    takes: (_ file: Walk.Found, _ isCandidate: Bool) -> Bool,
    work: (_ file: Walk.Found) -> FileReport?
  ) -> Printout {
    var printout = Printout()
    for item in items {
      switch item {
      case .failed(let error):
        printer.print(FileReport(path: error.path, result: .failed(.init(error))), to: &printout)
      case .skipped(let path, .output) where roots.contains(path):
        printer.print(FileReport(path: path, result: .failed(.outputIsInput)), to: &printout)
      case .skipped(let path, .temporary) where removesAbandoned && removeAbandonedFile(path):
        printer.mention("\(TextFormat.path(path)): removed (temporary)", in: &printout)
      case .skipped(let path, let reason): printer.skip(path, reason, in: &printout)
      case .candidate(let file): if takes(file, true) { print(file, work, &printout) }
      case .file(let file): if takes(file, false) { print(file, work, &printout) }
      }
    }
    return printout
  }

  private func print(
    _ file: Walk.Found,
    _ work: (Walk.Found) -> FileReport?,
    _ printout: inout Printout
  ) {
    // Known by the same path next time, whichever way then leads to it.
    let place = journal == nil ? file.path : met?.place(of: file) ?? file.path
    do throws(FileError) {
      if try journal?.isDone(place) == true {
        printout.tally.countEarlier()
        return
      }
    } catch {
      printer.print(FileReport(path: file.path, result: .failed(.init(error))), to: &printout)
      return
    }
    guard var report = work(file) else {
      printer.skip(file.path, .duplicate, in: &printout)
      return
    }
    report.isNamed = file.isNamed
    report.folder = file.directory
    do throws(FileError) {
      // What is left to do with the sidecar is done by the next run.
      if !report.sidecarFailed { try journal?.note(report, of: place) }
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
