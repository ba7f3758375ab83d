internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright
internal import Verification

/// The verification of results whose originals a record restores.
extension VerifyCommand {
  /// Compares results with the originals that a record restores.
  ///
  /// - Returns: The number of recorded results that are elsewhere.
  func verifyRecorded(
    _ record: FilePath,
    _ roots: [FilePath],
    _ run: BatchRun,
    _ printer: VerificationPrinter
  ) -> Int {
    func print(_ error: UprightError) {
      var printout = Printout()
      let outcome = VerificationReport.Outcome.unreadable(error.advised())
      printer.print(
        VerificationReport(original: record, result: record, outcome: outcome),
        to: &printout
      )
      run.console.put(printout)
    }
    let results: RecordedResults
    do throws(FileError) {
      results = try RecordedResults(record, maxPixels: pixels.maxPixels, limit: limit)
    } catch {
      if error.problem != .interrupted { print(.init(error)) }
      return 0
    }
    for error in results.index.errors { print(error) }
    var walk = Walk(comparing: "", .all, allNames: allNames)
    walk.roots = roots
    walk.names.formats = results.index.formats
    run.work(on: walk) { [self] item, printout in
      switch item {
      case .ignored: break
      case .candidate(let found) where !FileFormats.all.mayContain(found.path): break
      case .failed(let error): report(.failed(error), with: printer, to: &printout)
      case .file(let found), .candidate(let found):
        printer.print(recorded(found.path, isNamed: found.isNamed, results), to: &printout)
        guard results.index.hasSidecars else { return }
        for sidecar in PhotoGroup.sidecarPaths(of: found) where results.takes(sidecar: sidecar) {
          printer.print(recorded(sidecar, isNamed: false, results), to: &printout)
        }
      }
    }
    let directories = roots.filter(\.isDirectory).map(results.place)
    guard roots.isEmpty || !directories.isEmpty, !Interruption.isPending else { return 0 }
    let (remaining, elsewhere) = results.remaining(below: roots.isEmpty ? nil : directories)
    run.work(on: remaining) { [self] result, printout in
      let report =
        switch result {
        case .file(let place): recorded(place, isNamed: true, results)
        case .missing(let place):
          VerificationReport(original: record, result: place, outcome: .status(.missingFile))
        case .stream:
          VerificationReport(
            original: record,
            result: StandardStreams.path,
            outcome: .unchecked("it was written to standard output. Name the file.")
          )
        case .unplaced:
          VerificationReport(
            original: record,
            result: record,
            outcome: .unchecked(
              "the line with its directory is missing in the record. Name the file."
            )
          )
        }
      printer.print(report, to: &printout)
    }
    return elsewhere
  }

  /// Compares a result with the original that a record restores.
  private func recorded(
    _ path: FilePath,
    isNamed: Bool,
    _ results: RecordedResults
  ) -> VerificationReport {
    results.report(path, isNamed: isNamed, limit) { original, bytes, entries in
      guard ImageFormat(beginning: bytes.span) != nil else { return .restored("a sidecar") }
      // What was requested then is expected now, unless something else is.
      let recorded = try transform == .none ? results.displayedTransform(entries) : nil
      let outcome = compare(original, bytes, then: recorded ?? transform)
      let hasFinding =
        if case .compared(let verdict) = outcome { verdict.conclusion == .notProven } else { false }
      // What else is requested cannot be shown by restoring the original.
      let isStrict = lossless || transform != .none
      guard hasFinding, try results.setTag(entries, only: isStrict) else { return outcome }
      return .restored("its tag was changed, as the record says")
    }
  }
}
