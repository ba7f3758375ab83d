internal import Archive
internal import Conversion
internal import SystemPackage

/// What `upright convert` does with each thing that a selection has, on any thread.
struct ConversionJob: Sendable {
  let conversion: FileConversion
  /// Where the result of the only file goes; nil where names are made of the files'.
  let output: ConversionTarget?
  let outputs: ConversionOutputs
  let journal: Journal?
  let roots: [FilePath]
  let printer: Printer

  /// What is printed of it; nil where that is nothing.
  @Sendable func printout(_ item: Walk.Item) -> Printout? {
    switch item {
    case .failed(let error):
      return printer.printout(FileReport(path: error.path, result: .failed(.init(error))))
    case .skipped(let path, .output) where roots.contains(path):
      return printer.printout(FileReport(path: path, result: .failed(.outputIsInput)))
    case .skipped(let path, .temporary) where !conversion.dryRun && removeAbandonedFile(path):
      return nil
    case .skipped(let path, let reason):
      guard printer.verbose, !printer.quiet else { return nil }
      var printout = Printout()
      printout.error.append(line: "\(TextFormat.path(path)): passed over (\(reason.rawValue))")
      return printout
    case .file(let path, let root), .candidate(let path, let root):
      // Who names a file means it; in directories and lists everything else is passed over.
      guard path == root || looksLikeHEIF(path) else { return nil }
      return printout(path, root)
    }
  }

  private func looksLikeHEIF(_ path: FilePath) -> Bool {
    guard let reader = try? FileReader(path),
      let beginning = try? reader.read(at: 0, count: 256)
    else { return false }
    return HEIFStructure.isHEIF(beginning)
  }

  private func printout(_ path: FilePath, _ root: FilePath) -> Printout {
    if journal?.isDone(path) == true {
      var printout = Printout()
      printout.tally.countEarlier()
      return printout
    }
    var report = conversion.report(path) { () throws in
      try output ?? .file(outputs.output(for: path, root: root))
    }
    report.isNamed = path == root
    do throws(FileError) {
      if report.isDone { try journal?.note(report.status, of: path) }
    } catch {
      report.warnings.append("the journal could not be written: \(error.message)")
    }
    return printer.printout(report)
  }
}
