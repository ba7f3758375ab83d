import Fixtures
import Synchronization
import Testing

/// Every system call of every command that writes, failing in turn (`tools/dev/faults/faults.c`).
struct FaultTests {
  /// How many scenarios have ended, and how many times the command ran for them.
  private static let tally = Mutex((scenarios: 0, runs: 0))

  @Test(
    .enabled(if: FaultLibrary.isUsable, "no library can be preloaded: install a C compiler"),
    arguments: FaultScenario.all
  )
  func `Whichever system call fails, each file is old or new and the report is true`(
    scenario: FaultScenario
  ) throws {
    let trial = try FaultTrial(scenario, FaultScenario.originals())
    let problems = try trial.problems(every: Effort.isExhaustive)
    let list = problems.prefix(40).joined(separator: "\n  ")
    #expect(problems.isEmpty, "\(problems.count) in \(trial.runs) runs:\n  \(list)")
    Self.tally.withLock { tally in
      tally.scenarios += 1
      tally.runs += trial.runs
      guard tally.scenarios == FaultScenario.all.count else { return }
      print("Failing system calls: \(tally.runs) runs of \(tally.scenarios) commands")
    }
  }
}
