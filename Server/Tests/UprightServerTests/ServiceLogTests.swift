import Foundation
import NIOHTTP1
import Synchronization
import Testing
import UprightServer

/// The request log.
@Suite struct ServiceLogTests {
  /// Lines that a service wrote.
  private final class Lines: Sendable {
    private let all = Mutex<[String]>([])
    func append(_ line: String) { all.withLock { $0.append(line) } }
    func objects() throws -> [[String: Any]] {
      try all.withLock { $0 }.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
    var text: String { all.withLock { $0 }.joined(separator: "\n") }
  }

  private static let transformed = "orientation/aligned-6.jpg"

  /// Sends a few requests to a service.
  private func requests(logsNames: Bool) async throws -> Lines {
    let lines = Lines()
    let configuration = configuration {
      $0.log = { lines.append($0) }
      $0.logsNames = logsNames
    }
    let photo = try Fixture.bytes(Self.transformed)
    try await serving(configuration) { client in
      _ = try await client.post("/normalize", photo)
      let form =
        Array(
          "--b\r\nContent-Disposition: form-data; name=\"p\"; filename=\"secret.jpg\"\r\n\r\n".utf8
        )
        + Array("no photo\r\n--b--\r\n".utf8)
      let type: HTTPHeaders = ["Content-Type": "multipart/form-data; boundary=b"]
      _ = try await client.post("/audit?regions=keep", form, type)
      _ = try await client.execute(uri: "/secret/path", method: .GET)
      _ = try await client.execute(uri: "/healthz", method: .GET)
    }
    return lines
  }

  @Test func `Every request is logged as a line of JSON with the result`() async throws {
    let objects = try await requests(logsNames: false).objects()
    #expect(
      objects.map { $0["resource"] as? String } == ["normalize", "audit", "other", "healthz"]
    )
    #expect(objects.map { $0["status"] as? Int } == [200, 415, 404, 200])
    #expect(objects.map { $0["code"] as? String } == [nil, "not-jpeg", "not-found", nil])
    #expect(objects[0]["action"] as? String == "normalized")
    #expect(objects[0]["received"] as? Int == (try Fixture.bytes(Self.transformed).count))
    #expect(objects.allSatisfy { ($0["time"] as? String)?.hasSuffix("Z") == true })
    #expect(objects.allSatisfy { $0["milliseconds"] is Int })
  }

  @Test func `Names are logged only on request`() async throws {
    let plain = try await requests(logsNames: false).text
    #expect(!plain.contains("secret") && !plain.contains("regions"))
    let named = try await requests(logsNames: true).objects()
    #expect(named[1]["name"] as? String == "secret.jpg")
    #expect(named[1]["target"] as? String == "/audit?regions=keep")
    #expect(named[2]["target"] as? String == "/secret/path")
  }
}
