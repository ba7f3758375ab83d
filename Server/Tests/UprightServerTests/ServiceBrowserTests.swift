import NIOHTTP1
import Testing
import UprightServer

/// Protection of a service on a user's machine from pages of other sites.
@Suite(.serialized) struct ServiceBrowserTests {
  private static let post = "POST /normalize HTTP/1.1\r\nContent-Length: 1000\r\n"

  // MARK: DNS rebinding

  @Test(arguments: [
    "localhost", "LocalHost.", "localhost:1", "127.0.0.1", "127.0.0.1:8080", "127.9.8.7", "[::1]",
    "[::1]:80", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]",
  ])
  func `Requests for the names of loopback are accepted`(host: String) async throws {
    try await serving { client in
      let answers = try await client.send(
        "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
      )
      #expect(answers.map { $0.status } == [200])
    }
  }

  @Test(arguments: [
    "other.example", "localhost.other.example", "127.0.0.1.nip.io", "128.0.0.1", "0.0.0.0:8080",
    "127.1", "2130706433", "[::2]", "xn--localhost", "evil.localhost",
  ])
  func `Another host is refused before the body is read`(host: String) async throws {
    try await serving { client in
      let answers = try await client.send("\(Self.post)Host: \(host)\r\n\r\n")
      let answer = try #require(answers.only)
      #expect(answer.status == 421)
      #expect(answer.body.contains("\"code\":\"host\""))
      #expect(answer.field("connection") == "close")
      for path in ["/", "/page.js", "/metrics", "/nowhere"] {
        let answers = try await client.send(
          "GET \(path) HTTP/1.1\r\nhOsT: \(host)\r\nConnection: close\r\n\r\n"
        )
        #expect(answers.map { $0.status } == [421], "\(path)")
      }
    }
  }

  @Test func `The health resource is public for any host`() async throws {
    try await serving { client in
      let answers = try await client.send(
        "GET /healthz HTTP/1.1\r\nHost: 10.1.2.3:8080\r\nConnection: close\r\n\r\n"
      )
      #expect(answers.map { $0.status } == [200])
    }
  }

  // MARK: Requests of other pages

  @Test(arguments: [
    "https://other.example", "null", "file://", "http://localhost.other.example",
    "http://127.0.0.1.nip.io",
    "chrome-extension://abcdefghijklmnop", "http://localhost, https://other.example",
    "http://localhost\r\nOrigin: https://other.example", "http://user@localhost", "localhost", "",
  ])
  func `A page of another origin is refused before the body is read`(origin: String) async throws {
    try await serving { client in
      let answers = try await client.send(
        "\(Self.post)Host: localhost\r\nOrigin: \(origin)\r\n\r\n"
      )
      let answer = try #require(answers.only)
      #expect(answer.status == 403)
      #expect(answer.body.contains("\"code\":\"cross-site\""))
      #expect(answer.field("connection") == "close")
    }
  }

  @Test func `Pages of the service itself may use it`() async throws {
    try await serving { client in
      for origin in [
        "http://localhost:8080", "http://127.0.0.1", "HTTPS://LOCALHOST", "http://[::1]:1",
      ] {
        let response = try await client.post("/audit", Array("abc".utf8), ["Origin": origin])
        #expect(response.status == .unsupportedMediaType, "\(origin)")
      }
    }
  }

  @Test func `Preflight requests get no permission`() async throws {
    try await serving { client in
      for (origin, status) in [("https://other.example", 403), ("http://localhost:3000", 405)] {
        for method in ["POST", "PUT"] {
          let answers = try await client.send(
            "OPTIONS /normalize HTTP/1.1\r\nHost: localhost\r\nOrigin: \(origin)\r\n"
              + "Access-Control-Request-Method: \(method)\r\nAccess-Control-Request-Headers: x-a\r\n"
              + "Access-Control-Request-Private-Network: true\r\nConnection: close\r\n\r\n"
          )
          #expect(answers.map { $0.status } == [status])
          #expect(answers.first?.head.lowercased().contains("access-control") == false)
        }
      }
    }
  }

  @Test func `Requests of a browser for another site are refused, except navigation`() async throws
  {
    try await serving { client in
      for site in [
        "cross-site", "same-site", "Cross-Site", "same-origin, cross-site", "none", "same-origin",
      ] {
        let isOwn = ["none", "same-origin"].contains(site)
        for (request, mode, status) in [
          ("GET /metrics", "no-cors", isOwn ? 200 : 403), ("GET /", "navigate", 200),
          ("POST /normalize", "cors", isOwn ? 415 : 403),
          ("POST /normalize", "navigate", isOwn ? 415 : 403),
        ] {
          let answers = try await client.send(
            "\(request) HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: \(site)\r\n"
              + "sec-fetch-mode: \(mode)\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"
          )
          #expect(answers.map { $0.status } == [status], "\(request), \(site), \(mode)")
        }
      }
    }
  }
}
