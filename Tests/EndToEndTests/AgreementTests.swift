import Fixtures
import Foundation
import Testing

private let corpus = RealPhotos.folder

/// Compares what an audit says of files with what `normalize` does with them.
struct AgreementTests {
  /// What the header of a file does not show: damage after it, the scans, the images after the primary one, offsets after
  /// the image, and that the content of the thumbnail is evidence of a stale tag.
  private static let later: Set = [
    "absolute-offsets", "conflict", "damaged-scan", "embedded-image", "height-by-dnl",
    "incomplete-progression",
    "malformed", "no-end-of-image", "scan-limit", "truncated",
  ]

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// What `normalize` reports of the files.
  private func done(in folder: String) throws -> [Line] {
    let output = ["--output-dir", scratch.path("out"), "--format", "ndjson"]
    return try upright(["normalize", "-r", folder] + output).json()
  }

  /// The files for which an audit with these options says something else than what is done, unless it is for a reason that
  /// the audit need not know.
  private func disagreements(
    in folder: String,
    _ options: [String] = [],
    with done: [Line],
    knowingAllBut later: Set<String> = []
  ) throws -> [String] {
    // What is written elsewhere need not be writable.
    let selection = ["--formats", "jpeg", "--read-only", "rewrite", "--format", "ndjson"]
    let audit = try upright(["audit", folder] + selection + options).json()
    #expect(!done.isEmpty && audit.map(\.path).sorted() == done.map(\.path).sorted())
    let promised = Dictionary(uniqueKeysWithValues: audit.map { ($0.path, $0) })
    return done.compactMap { line in
      guard let promise = promised[line.path], !Self.agree(promise, line) else { return nil }
      // Files beside a photo matter if it is replaced.
      guard promise.reason?.id.hasPrefix("neighbour-") != true else { return nil }
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

  @Test func `An audit says of every fixture what is done with it`() throws {
    for fixture in Fixture.all { try scratch.copy(fixture.path, as: "in/" + fixture.path) }
    let folder = scratch.path("in")
    let done = try done(in: folder)
    #expect(try disagreements(in: folder, with: done, knowingAllBut: Self.later) == [])
    #expect(try disagreements(in: folder, ["--deep"], with: done) == [])
  }

  @Test func `Stray bytes after the first scan hide no damage`() throws {
    var bytes = try Fixture.bytes("coding/progressive.jpg")
    let scan = try #require(bytes.firstRange(of: [0xFF, 0xDA])).upperBound
    let table = try #require(bytes[scan...].firstRange(of: [0xFF, 0xC4])).lowerBound
    bytes.insert(contentsOf: [0xFF, 0xFE, 0, 2, 1, 2, 3], at: table)
    let file = try scratch.write(bytes, to: "in/a.jpg")
    // The last scan is of an unknown component.
    bytes[try #require(bytes.ranges(of: [0xFF, 0xDA]).last).upperBound + 3] = 9
    let other = try scratch.write(bytes, to: "in/b.jpg")
    for arguments in [["audit", "--deep"], ["normalize", "-n", "--deep"], ["normalize"]] {
      let reports = try upright(arguments + ["--format", "ndjson", file, other]).json()
      #expect(reports.map { $0.error?.id ?? "" } == ["", "malformed"], "\(arguments)")
    }
  }

  @Test func `A deep dry run gives the size of the result`() throws {
    let file = try scratch.copy(rotatedFixture, as: "a.jpg")
    let sizes = try [["-n", "--deep"], []].map {
      try upright(["normalize", "--format", "ndjson", file] + $0).json().first?.size
    }
    #expect(sizes[0] != nil && sizes[0] == sizes[1])
  }

  @Test(.enabled(if: corpus != nil, "UPRIGHT_CORPUS names no folder: set it to a folder of photos"))
  func `An audit says of every photo what is done with it`() throws {
    let folder = try #require(corpus)
    let done = try done(in: folder)
    #expect(try disagreements(in: folder, with: done, knowingAllBut: Self.later) == [])
  }
}
