import Foundation
import NIOHTTP1
import Testing
import Upright
import UprightServer

/// The service and the command have the same results.
struct ServiceAgreementTests {
  @Test func `Every photo has the same result as with the command`() async throws {
    try await serving { client in
      for fixture in Fixture.all {
        let bytes = try fixture.bytes()
        let command = try await waiting {
          try Tool.run(uprightBinary, ["normalize", "-"], input: bytes)
        }
        let response = try await client.post("/normalize", bytes)
        if command.status == 2 {
          #expect(response.status.code >= 400, "\(fixture)")
          #expect(command.output.isEmpty)
        } else {
          #expect(response.status == .ok, "\(fixture)")
          #expect(response.bytes == command.output, "\(fixture)")
        }
      }
    }
  }

  @Test func `Reports are those of the command`() async throws {
    let scratch = try Scratch()
    for fixture in Fixture.all { try scratch.copy(fixture.path, as: "in/" + fixture.path) }
    let folder = scratch.path("in")
    let audit = try await reports(["audit", folder], below: folder)
    let normalize = try await reports(
      ["normalize", "-r", "--output-dir", scratch.path("out"), folder],
      below: folder
    )
    try await serving { client in
      for fixture in Fixture.all {
        let bytes = try fixture.bytes()
        for (path, expected) in [("/audit", audit), ("/normalize", normalize)] {
          let response = try await client.post(path, bytes, ["Accept": "application/json"])
          let expected = try #require(expected[fixture.path], "\(fixture)")
          if let failure = expected.failure {
            let problem = try response.problem()
            // The service looks only at the first bytes of what is no JPEG file.
            let isOther = !bytes.starts(with: [0xFF, 0xD8]) && problem == "not-jpeg"
            #expect(problem == failure || isOther, "\(path) \(fixture)")
          } else {
            #expect(try Report(response.bytes) == expected, "\(path) \(fixture)")
          }
        }
      }
    }
  }

  /// A report without the fields about files.
  private struct Report: Equatable, Sendable {
    var path: String
    var failure: String?
    private var rest: String

    init(_ line: [UInt8]) throws {
      var object =
        try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
      path = object["path"] as? String ?? ""
      failure = (object["error"] as? [String: Any])?["id"] as? String
      for key in ["path", "output", "sidecar"] { object[key] = nil }
      // The command knows it only of files that it has read to the end.
      if var facts = object["facts"] as? [String: Any] {
        facts["trailingBytes"] = nil
        object["facts"] = facts
      }
      // Only the command names options.
      rest = String(
        decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys),
        as: UTF8.self
      ).replacing(#/ \((to |see upright)[^)]*\)/#, with: "")
    }

    static func == (one: Report, other: Report) -> Bool {
      one.failure == other.failure && one.rest == other.rest
    }
  }

  /// The reports of a command for the files below a folder.
  private func reports(
    _ arguments: [String],
    below folder: String
  ) async throws -> [String: Report] {
    let run = try await waiting { try Tool.run(uprightBinary, arguments + ["--format", "ndjson"]) }
    let lines = run.output.split(separator: 0x0A)
    let reports = try lines.map { try Report(Array($0)) }
    return Dictionary(
      uniqueKeysWithValues: reports.map { (String($0.path.dropFirst(folder.count + 1)), $0) }
    )
  }

  @Test func `The coordinates are unchanged, as read by exiftool`() async throws {
    try await serving { client in
      for orientation in 1...8 {
        let bytes = try Fixture.bytes("orientation/aligned-\(orientation).jpg")
        let response = try await client.post("/normalize", bytes)
        let before = try await coordinates(bytes)
        #expect(try await coordinates(response.bytes) == before)
        #expect(before.contains("GPSLatitude"))
      }
    }
  }

  private func coordinates(_ photo: [UInt8]) async throws -> String {
    try await waiting {
      try Tool.run("exiftool", ["-n", "-G1", "-s", "-GPS:all", "-"], input: photo).text
    }
  }
}
