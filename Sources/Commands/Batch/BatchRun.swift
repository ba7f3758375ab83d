internal import ArgumentParser
internal import FileSystem
internal import ImageOrientation
internal import PhotoFiles
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// A run of a command over many files, from its options to its exit status.
struct BatchRun: Sendable {
  var console: Console
  /// The number of files that may be processed at once.
  private(set) var jobs: Int
  /// The number of files whose headers may be read at once, where most of the time is waiting.
  private var readers: Int
  /// The number of files that a thread takes at a time.
  var stride = 1
  /// The journal of what earlier runs have done.
  var journal: Journal?
  /// The file with the reports of this and earlier runs.
  var reports: ReportFile?
  private let loss = DeviceLoss()

  private var printer: Printer { console.printer }

  /// Begins a run; after that, a signal ends it between two files.
  init(_ console: Console, jobs: Int, readers: Int) {
    Interruption.observe()
    self.console = console
    self.jobs = jobs
    self.readers = readers
  }

  /// Opens a file that the run writes besides its results; ends the run if that fails.
  ///
  /// - Throws: `ExitCode`.
  func open<Opened: ~Copyable>(_ body: () throws(FileError) -> Opened) throws -> Opened {
    do throws(FileError) {
      return try body()
    } catch {
      console.fail(error)
      throw ExitCode(Interruption.exitStatus ?? 2)
    }
  }

  /// Removes temporary files that killed runs left anywhere below a directory.
  static func removeAbandonedFiles(below directory: FilePath?) {
    guard let directory else { return }
    for case .ignored(let path, .temporary) in Walk(roots: [directory], recursive: true) {
      _ = removeAbandonedFile(path)
    }
  }

  /// Processes files and shows the progress.
  func work(_ work: some FileWork, on selection: Selection) {
    let roots = selection.walk.roots
    var run = self
    // Threads without work would take as much time as a small photo.
    if selection.isSingle { (run.jobs, run.readers) = (1, 1) }
    guard console.showsProgress else { return run.work(work, on: selection, below: roots) }
    let files = WalkAhead(selection)
    console.showProgress(of: files)
    run.work(work, on: files, below: roots)
  }

  /// Processes files.
  func work<Items: Sequence<Walk.Item> & Sendable>(
    _ work: some FileWork,
    on items: Items,
    below roots: [FilePath] = []
  ) where Items.Iterator: Sendable {
    let maxJobs = work.isMostlyReading ? readers : jobs
    let loss = loss
    let batch = Batch(
      jobs: jobs,
      maxJobs: maxJobs,
      stride: stride,
      hasRoom: { !work.isBusy },
      isEnded: { loss.lost != nil }
    )
    self.work(on: items, batch) {
      print($0, work, roots, to: &$1)
    }
    if let lost = loss.lost {
      console.error(
        "\(TextFormat.path(lost)): the device or the server does not answer any more; files that are not counted were not started"
      )
    }
  }

  /// Processes items, and prints what `print` appends for each.
  func work<Items: Sequence & Sendable>(
    on items: Items,
    _ batch: Batch? = nil,
    print: @escaping @Sendable (Items.Element, inout Printout) -> Void
  ) where Items.Iterator: Sendable, Items.Element: Sendable {
    (batch ?? Batch(jobs: jobs)).forEach(items) { group in
      var printout = Printout()
      for item in group { print(item, &printout) }
      return printout
    } then: {
      console.put($0)
    }
  }

  private func print(
    _ item: Walk.Item,
    _ work: some FileWork,
    _ roots: [FilePath],
    to printout: inout Printout
  ) {
    func fail(_ path: FilePath, _ error: UprightError) {
      printer.print(FileReport(path: path, result: .failed(error)), to: &printout)
    }
    switch item {
    case .failed(let error): fail(error.path, UprightError(error))
    case .ignored(let path, .output) where roots.contains(path): fail(path, .outputIsInput)
    case .ignored(let path, .temporary) where work.removesAbandoned(path):
      printer.mention("\(TextFormat.path(path)): removed (temporary)", in: &printout)
    case .ignored(let path, let reason): printer.ignore(path, reason, in: &printout)
    case .candidate(let file) where !work.mayTake(file.path): break
    case .file(let file)
    where file.isNamed && roots.count > 1 && work.ignoresCompanions && file.isCompanion:
      printer.ignore(file.path, .companion, in: &printout)
    case .candidate(let file), .file(let file):
      // The same path in every run, whichever link leads to the file.
      let place = journal == nil ? file.path : work.visited?.place(of: file) ?? file.path
      let task = work.task(of: file)
      var former: Digest?
      var isCompletion = false
      do throws(FileError) {
        let finding = try journal?.finding(
          on: place,
          task: task,
          results: work.outputs(of: file)
        )
        switch finding {
        case .done(let status): return try countEarlier(file, status, task, &printout)
        case .begun where !work.updatesSidecars: return try countEarlier(file, nil, task, &printout)
        case .lacksSidecar(let digest), .begun(let digest):
          (former, isCompletion) = (digest, true)
        case .doneDifferently(let former):
          return fail(file.path, .taskChanged(from: former, to: task ?? "normalize"))
        case .open, nil: break
        }
      } catch {
        loss.note(UprightError(error), of: file.path)
        return fail(file.path, UprightError(error))
      }
      func report() -> FileReport? {
        guard let task, let journal else {
          return work.result(of: file, isCompletion: isCompletion)
        }
        let work = work.announcing { result throws(FileError) in
          try journal.announce(result, of: place, task: task)
        }
        return work.result(of: file, isCompletion: isCompletion)
      }
      guard var report = report() else {
        return printer.ignore(file.path, .duplicate, in: &printout)
      }
      if former != nil, report.status.isUnchanged, !report.touchesCompanions {
        do throws(FileError) {
          return try countEarlier(file, nil, task, &printout)
        } catch {
          return fail(file.path, UprightError(error))
        }
      }
      if case .failed(let error) = report.result { loss.note(error, of: file.path) }
      report.isNamed = file.isNamed
      report.folder = file.directory
      note(&report, of: place, task, former)
      printer.print(report, to: &printout)
    }
  }

  /// Counts a file that an earlier run has finished, and reports it if that run could not.
  private func countEarlier(
    _ file: Walk.Found,
    _ status: Status?,
    _ task: String?,
    _ printout: inout Printout
  ) throws(FileError) {
    try reports?.append(earlier: file.path, status ?? Status(task: task))
    printout.tally.countEarlier()
  }

  /// Records the result of a file in the file of reports and in the journal.
  private func note(
    _ report: inout FileReport,
    of place: FilePath,
    _ task: String?,
    _ former: Digest?
  ) {
    do throws(FileError) {
      // Before the journal, which says that nothing of the file remains to be done.
      if let reports, report.status != .interrupted {
        try reports.append(report, isContinued: journal != nil)
      }
    } catch {
      return report.logFailures.append(error)
    }
    // A sidecar that is ignored now is completed by a later run.
    guard former == nil || report.touchesCompanions else { return }
    do throws(FileError) {
      try journal?.note(report, of: place, task: task, former: former)
    } catch {
      report.logFailures.append(error)
    }
  }
}

extension UprightError {
  /// The error of a file on which an earlier run with the same journal has done something else.
  static func taskChanged(from former: String, to task: String) -> UprightError {
    UprightError(
      .journalDiffers,
      message: "an earlier run with this journal did \(former), and now \(task) is requested."
        + " Use a new journal, after an undo of the file if it was changed in place."
    )
  }

  static let outputIsInput = UprightError(
    .outputIsInput,
    message: "the output directory is the input directory. Choose another, or omit --output-dir."
  )
}

extension Status {
  /// The result of a task, as journals hold it, of which nothing else is known; nil for a normalization.
  fileprivate init(task: String?) {
    switch task?.split(separator: " ").first {
    case nil: self = .normalized
    case "tag": self = .tagged
    case "crop": self = .cropped
    case "convert": self = .converted
    case let word?:
      let transform = OrientationTransform(rawValue: String(word))
      self = transform?.mirrors == true ? .flipped : .rotated
    }
  }
}
