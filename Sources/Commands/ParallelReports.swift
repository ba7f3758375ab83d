internal import Dispatch
internal import Synchronization

/// Works on files on several cores, and reports in the order of the files.
struct ParallelReports {
  /// How many files are worked on at once.
  let jobs: Int

  /// Works on every file.
  ///
  /// Files are taken in groups, so that memory is bounded by the number of jobs and reports come while the
  /// work goes on.
  ///
  /// - Parameters:
  ///   - files: The files, or what else there is to report of.
  ///   - work: Makes the report; called on several threads at once.
  ///   - then: Takes the reports, in the order of the files; called on the caller's thread.
  func forEach<File: Sendable>(
    _ files: some Sequence<File>,
    work: @Sendable (File) -> FileReport,
    then: (FileReport) -> Void
  ) {
    var iterator = files.makeIterator()
    while true {
      var group: [File] = []
      while group.count < jobs * Self.filesPerJob, let file = iterator.next() { group.append(file) }
      guard !group.isEmpty else { return }
      let files = group
      let reports = Mutex([FileReport?](repeating: nil, count: files.count))
      let next = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: min(jobs, files.count)) { _ in
        while true {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < files.count else { return }
          let report = work(files[index])
          reports.withLock { $0[index] = report }
        }
      }
      for report in reports.withLock({ $0 }) {
        if let report { then(report) }
      }
    }
  }

  /// Enough that a large file at the end of a group does not leave the other cores idle for long.
  private static let filesPerJob = 8
}
