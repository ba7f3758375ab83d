import Fixtures
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Commands that write, with records, journals, backups and sidecars, ended at random times.
@Suite(.serialized) struct KillTests {
  private static let scenarios = [
    FaultScenario("normalize -r @tree --record @record --backup .orig --sidecars update"),
    FaultScenario("normalize -r @tree --journal @journal --sidecars update"),
    FaultScenario(
      "normalize -r @tree --output-dir @out --journal @journal --sidecars update",
      results: "out"
    ),
    FaultScenario("normalize -r @tree --record @record --embed-undo --sidecars update"),
    FaultScenario("rotate 90 -r @tree --record @record --journal @journal"),
    FaultScenario(
      "undo -r --record @record @tree",
      after: "normalize -r @tree --record @record --sidecars update"
    ),
    FaultScenario(
      "undo -r @tree",
      after: "normalize -r @tree --embed-undo --sidecars report"
    ),
  ]

  /// Photos of all kinds, every other one with two sidecars.
  private static func originals() throws -> Snapshot {
    let fixtures =
      (1...8).map { "orientation/aligned-\($0).jpg" } + [
        "sample/portrait.jpg", "coding/progressive.jpg", "unaligned/33x47-tag-6.jpg",
        "multi-picture/several.jpg",
      ]
    var files: Snapshot = [:]
    for copy in 0..<3 {
      for (number, fixture) in fixtures.enumerated() {
        let name = "tree/\(copy)/\(number).jpg"
        files[name] = .original(try Fixture.bytes(fixture))
        guard number % 2 == 1 else { continue }
        for sidecar in [name + ".xmp", "tree/\(copy)/\(number).xmp"] {
          files[sidecar] = .original(try FaultScenario.sidecar(fixture))
        }
      }
    }
    return files
  }

  @Test(arguments: scenarios, [SIGKILL, SIGTERM])
  func `After a kill at any time each file is old or new, and the next run completes the tree`(
    scenario: FaultScenario,
    signal: Int32
  ) throws {
    let trial = try FaultTrial(scenario, Self.originals(), jobs: 2)
    var generator = SeededGenerator(seed: UInt64(signal))
    // What a run takes changes with the other work of the machine.
    var (duration, halfDone) = (trial.duration, 0)
    for round in 1...12 where round <= Effort.rounds(12) || halfDone == 0 {
      let delays = (0..<round % 3 + 1).map { _ in
        duration * Double.random(in: 0..<1, using: &generator)
      }
      let (done, open, problems) = try trial.end(with: signal, after: delays)
      #expect(problems.isEmpty, "round \(round), after \(delays): \(problems.prefix(8))")
      switch (done, open) {
      case (_, 0): duration = duration * 0.7
      case (0, _): duration = duration * 1.3
      default: halfDone += 1
      }
    }
    // Ends that never meet a tree half done would prove nothing.
    #expect(halfDone > 0)
  }
}
