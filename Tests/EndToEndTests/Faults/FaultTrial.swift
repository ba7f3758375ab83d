import Fixtures
import Foundation

/// Runs a scenario repeatedly, with and without failures, and collects violated conditions.
final class FaultTrial {
  let scenario: FaultScenario
  let scratch: Scratch
  /// The files before the first run, and after an undisturbed one.
  let (old, new): (Snapshot, Snapshot)
  private let calls: [SystemCall]
  /// How long an undisturbed run takes.
  let duration: Duration
  private let jobs: Int
  private(set) var runs = 0

  /// Runs the scenario undisturbed.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - originals: The files before everything.
  ///   - jobs: How many files are worked on at once; with one the same calls are made each time.
  /// - Throws: `Tool.Failure`, where it fails without a fault.
  init(_ scenario: FaultScenario, _ originals: Snapshot, jobs: Int = 1) throws {
    (self.scenario, self.jobs) = (scenario, jobs)
    let scratch = try Scratch(in: Scratch.memory)
    self.scratch = scratch
    try scratch.restore(originals)
    if !scenario.preparation.isEmpty {
      let result = try upright(Self.resolve(scenario.preparation, scratch))
      guard result.status == 0 else { throw Tool.Failure(result.errorText) }
    }
    old = try scratch.snapshot()
    let log = try Scratch(in: Scratch.memory)
    let command = Self.command(scenario, scratch, jobs)
    let started = ContinuousClock.now
    let result = try FaultLibrary.run(command, below: scratch.url, log: log.path("log"))
    duration = ContinuousClock.now - started
    guard result.status == 0 else { throw Tool.Failure(result.errorText) }
    calls = try SystemCall.list(log.path("log"))
    new = try scratch.snapshot()
  }

  private static func resolve(_ arguments: [String], _ scratch: Scratch) -> [String] {
    arguments.map { $0.hasPrefix("@") ? scratch.path(String($0.dropFirst())) : $0 }
  }

  private static func command(
    _ scenario: FaultScenario,
    _ scratch: Scratch,
    _ jobs: Int
  ) -> [String] {
    resolve(scenario.arguments, scratch) + ["--format", "ndjson", "-j", "\(jobs)"]
  }

  /// The command of the scenario.
  private var command: [String] { Self.command(scenario, scratch, jobs) }

  /// Lets each call fail.
  ///
  /// - Returns: What was not as promised.
  func problems(every: Bool) throws -> [String] {
    let offset = scenario.arguments.count
    return try Fault.all(of: calls, every: every, offset: offset).flatMap { fault in
      try scratch.restore(old)
      let log = try Scratch(in: Scratch.memory)
      let result = try run(fault, log: log.path("log"))
      let isMade = try SystemCall.list(log.path("log")).contains(fault.call)
      guard isMade else {
        return fault.call.isGrouped ? [] : ["\(fault): the call is not made again"]
      }
      return try problems(after: result, from: old, fault).map { "\(fault): \($0)" }
    }
  }

  /// Runs the command some times in a row, each ended by a signal.
  ///
  /// - Parameters:
  ///   - signal: The signal.
  ///   - delays: When it comes, for each run.
  /// - Returns: How many files were done and how many were not when the last one came, and what was not as promised.
  /// - Throws: Where the command cannot be started.
  func end(
    with signal: Int32,
    after delays: [Duration]
  ) throws -> (done: Int, open: Int, problems: [String]) {
    try scratch.restore(old)
    var before = old
    var problems: [String] = []
    for (index, delay) in delays.enumerated() {
      let result = try FaultLibrary.run(command, below: scratch.url) { process in
        usleep(UInt32(delay / .microseconds(1)))
        kill(process, signal)
      }
      runs += 1
      let now = try scratch.snapshot()
      guard index + 1 < delays.count else {
        problems += try self.problems(after: result, from: before, nil)
        let done = new.keys.filter { now[$0]?.bytes == new[$0]?.bytes && old[$0] != new[$0] }
        let open = new.keys.filter { now[$0]?.bytes != new[$0]?.bytes }
        return (done.count, open.count, problems)
      }
      problems += FaultCheck(self, result, from: before, to: now, nil).files()
      before = now
    }
    return (0, 0, problems)
  }

  private func run(_ fault: Fault, log: String) throws -> Tool {
    runs += 1
    return try FaultLibrary.run(command, below: scratch.url, fault: fault, log: log)
  }

  /// Judges a run that was disturbed, and what a second one that is not makes of it.
  private func problems(
    after result: Tool,
    from before: Snapshot,
    _ fault: Fault?
  ) throws -> [String] {
    let check = FaultCheck(self, result, from: before, to: try scratch.snapshot(), fault)
    let problems = check.problems()
    if problems.isEmpty, result.status == 0, result.signal == nil { return [] }
    return try problems + repeated(check).map { "second run: \($0)" }
  }

  private func repeated(_ check: FaultCheck) throws -> [String] {
    guard case .repeatable = scenario.repetition else { return try repeated(check, given: nil) }
    // What was done before a kill is not known without a journal.
    guard !check.wasKilled else { return [] }
    let inPlace = ["unconfirmed", "outcome-unknown"]
    let failed = check.lines
      .filter { $0.status == "failed" && !inPlace.contains($0.error?.id ?? "") }
      .compactMap { check.name(of: $0.path) }.filter { $0.hasSuffix(".jpg") }
    return failed.isEmpty ? [] : try repeated(check, given: failed)
  }

  private func repeated(_ check: FaultCheck, given: [String]?) throws -> [String] {
    let paths = given?.map { scratch.path($0) }
    let command = command.flatMap { $0 == scratch.path("tree") ? paths ?? [$0] : [$0] }
    let result = try FaultLibrary.run(command, below: scratch.url)
    runs += 1
    return check.problems(afterSecond: result, try scratch.snapshot(), given: given)
  }
}
