import Fixtures
import Foundation
import Testing

private let corpus = ProcessInfo.processInfo.environment["UPRIGHT_CORPUS"]

/// Compares what an audit says of files with what `normalize` does with them.
struct AgreementTests {
  /// What the header of a file does not show: damage after it, the scans, the images after the primary one, and that the
  /// content of the thumbnail is evidence of a stale tag.
  private static let later: Set = [
    "conflict", "damaged-scan", "embedded-image", "incomplete-progression", "malformed",
    "no-end-of-image", "scan-limit", "stray-bytes", "truncated",
  ]

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The files for which an audit with these options says something else than what is done, unless it is for a reason that
  /// the audit need not know.
  private func disagreements(
    in folder: String,
    _ options: [String],
    knowingAllBut later: Set<String> = []
  ) throws -> [String] {
    let output = ["--format", "ndjson", folder]
    let audit = try upright(["audit", "--formats", "jpeg"] + options + output).json()
    let run = ["normalize", "-r", "--output-dir", scratch.path("out"), "--overwrite"]
    let done = try upright(run + output).json()
    #expect(!done.isEmpty && audit.map(\.path).sorted() == done.map(\.path).sorted())
    let promised = Dictionary(uniqueKeysWithValues: audit.map { ($0.path, $0) })
    return done.compactMap { line in
      guard let promise = promised[line.path], !Self.agree(promise, line) else { return nil }
      let outcome = (line.reason ?? line.error)?.id ?? ""
      guard !later.contains(outcome) else { return nil }
      return "\(line.path): \(promise.status) \((promise.reason ?? promise.error)?.id ?? ""), then "
        + "\(line.status) \(outcome)"
    }
  }

  private static func agree(_ promise: Line, _ line: Line) -> Bool {
    let outcome = line.verification == nil ? line.status : "planned"
    return promise.status == outcome && promise.reason?.id == line.reason?.id
      && promise.error?.id == line.error?.id && promise.transform == line.transform
      && promise.edges == line.edges && promise.registeredData == line.registeredData
      && promise.regions == line.regions
  }

  @Test(arguments: [false, true])
  func `An audit says of every fixture what is done with it`(deep: Bool) throws {
    for fixture in Fixture.all { try scratch.copy(fixture.path, as: "in/" + fixture.path) }
    let folder = scratch.path("in")
    let wrong = try disagreements(
      in: folder,
      deep ? ["--deep"] : [],
      knowingAllBut: deep ? [] : Self.later
    )
    #expect(wrong == [])
  }

  @Test(.enabled(if: corpus != nil, "UPRIGHT_CORPUS names no folder: set it to a folder of photos"))
  func `An audit says of every photo what is done with it`() throws {
    let folder = try #require(corpus)
    #expect(try disagreements(in: folder, [], knowingAllBut: Self.later) == [])
  }
}
