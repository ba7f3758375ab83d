import NIOHTTP1
import Testing
import UprightServer

/// HTTP/1.1 and HTTP/1.0 as in RFC 9112, and malformed requests.
@Suite(.serialized) struct ServiceProtocolTests {
  private static let transformed = "orientation/aligned-6.jpg"

  // MARK: HTTP/1.0 and the end of connections

  @Test func `An HTTP/1.0 client gets its response, then the connection is closed`() async throws {
    try await serving { client in
      for head in ["", "Host: localhost\r\n", "Connection: close\r\n", "connection: CLOSE\r\n"] {
        let answers = try await client.send("GET /healthz HTTP/1.0\r\n\(head)\r\n")
        let answer = try #require(answers.only)
        #expect(answer.status == 200 && answer.body == "ok\n")
        #expect(answer.field("connection") == "close")
        #expect(answer.field("transfer-encoding") == nil)
        #expect(answer.field("content-length") == "3")
      }
    }
  }

  @Test func `An HTTP/1.0 client can keep its connection`() async throws {
    try await serving { client in
      let get = "GET /healthz HTTP/1.0\r\n"
      let answers = try await client.send(
        "\(get)Connection: Keep-Alive\r\n\r\nHEAD /healthz HTTP/1.0\r\nconnection: keep-alive\r\n\r\n"
          + "\(get)Connection: keep-alive, close\r\n\r\n\(get)\r\n"
      )
      #expect(answers.map { $0.status } == [200, 200, 200])
      #expect(answers.map { $0.field("connection") } == ["keep-alive", "keep-alive", "close"])
      #expect(answers.map { $0.field("content-length") } == ["3", "3", "3"])
    }
  }

  @Test func `The last response is complete, however slowly it is read`() async throws {
    let photo = try Fixture.bytes(Self.transformed) + [UInt8](repeating: 0, count: 12 << 20)
    try await serving { client in
      let expected = try await client.post("/normalize", photo).bytes
      for version in ["1.0", "1.1"] {
        let head =
          "POST /normalize HTTP/\(version)\r\nHost: localhost\r\nConnection: close\r\n"
          + "Content-Length: \(photo.count)\r\n\r\n"
        let answer = try await waiting {
          try Tool.run(
            "bash",
            [
              "-c",
              "exec 3<>/dev/tcp/127.0.0.1/\(client.port); cat >&3; sleep 2; timeout 60 cat <&3",
            ],
            input: Array(head.utf8) + photo
          )
        }
        #expect(answer.status == 0)
        #expect(answer.output.suffix(expected.count) == expected[...], "HTTP/\(version)")
      }
    }
  }

  @Test func `On request the connection is closed after the response`() async throws {
    try await serving { client in
      for option in ["close", "Close", "TE, close", "close\r\nConnection: keep-alive"] {
        let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
        let answers = try await client.send("\(get)Connection: \(option)\r\n\r\n\(get)\r\n")
        #expect(answers.map { $0.status } == [200], "\(option)")
        #expect(answers.first?.field("connection") == "close")
      }
    }
  }

  @Test func `An upgrade to another protocol is refused, and ends the connection`() async throws {
    try await serving { client in
      let upgrade =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
      let answers = try await client.send(upgrade + upgrade)
      #expect(answers.map { $0.status } == [200])
      #expect(answers.first?.field("connection") == "close")
      let tunnel = "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n"
      #expect(try await client.send(tunnel).map { $0.status } == [404])
    }
  }

  @Test func `An HTTP/1.0 client does not get 100 Continue`() async throws {
    try await serving { client in
      let answers = try await client.send(
        "POST /normalize HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc"
      )
      #expect(answers.map { $0.status } == [415])
    }
  }

  @Test func `A client whose body is not accepted does not get 100 Continue`() async throws {
    try await serving { client in
      for head in [
        "POST /nowhere HTTP/1.1\r\nHost: localhost\r\n",
        "POST /normalize?quality=1 HTTP/1.1\r\nHost: localhost\r\n",
        "POST /normalize HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\n",
        "POST /normalize HTTP/1.1\r\nHost: other.example\r\n",
      ] {
        let answers = try await client.send(
          "\(head)Expect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        )
        #expect(answers.count == 1 && answers.allSatisfy { $0.status >= 400 }, "\(head)")
      }
    }
  }

  // MARK: Malformed requests

  @Test(arguments: [
    ("\0\u{1}garbage\r\n\r\n", 400), ("GET /healthz\r\n\r\n", 505),
    ("GET /healthz HTTP/2.0\r\n\r\n", 505),
    ("GET /healthz HTTP/1.1\r\nHost localhost\r\n\r\n", 400),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    (
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 9000))\r\n\r\n",
      431
    ),
    // Without Host, with two, and with none that can be one.
    ("GET /healthz HTTP/1.1\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nhOST: other.example\r\n\r\n", 400),
    ("GET /healthz HTTP/1.0\r\nHost: localhost\r\nHost: other.example\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost:\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: user@localhost\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: localhost/\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: localhost, other.example\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: localhost:99999\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: [::1\r\n\r\n", 400),
    ("GET http://localhost/healthz HTTP/1.1\r\n\r\n", 400),
    ("GET http://user@localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET file:///healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET http:/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    // Bodies of which two servers may see different ends.
    (
      "POST /audit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      400
    ),
    ("POST /audit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3, 3\r\n\r\nabc", 400),
    ("POST /audit HTTP/1.1\r\nHost: localhost\r\nContent-Length: +3\r\n\r\nabc", 400),
    (
      "POST /audit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400
    ),
    (
      "POST /audit HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        + "Content-Length: 3\r\n\r\n0\r\n\r\n", 400
    ),
    ("POST /audit HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 400),
    (
      "POST /audit HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      501
    ),
    (
      "POST /audit HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
      400
    ),
    ("POST /audit HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
    (
      "POST /audit HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400
    ),
    (
      "POST /audit HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501
    ),
    ("GET /healthz HTTP/1.1\r\nHost: localhost\r\n folded: line\r\n\r\n", 400),
  ])
  func `Requests that are not HTTP are refused with the same header fields`(
    request: String,
    status: Int
  ) async throws {
    try await serving { client in
      let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
      // What comes after it is not a request, and what came before is answered.
      let answers = try await client.send(get + request + get)
      #expect(answers.map { $0.status } == [200, status])
      let answer = try #require(answers.last)
      #expect(answer.field("connection") == "close")
      #expect(answer.field("content-type") == "application/problem+json")
      #expect(answer.field("x-content-type-options") == "nosniff")
      #expect(answer.field("cache-control") == "no-store")
      #expect(answer.field("content-security-policy")?.contains("default-src 'none'") == true)
      #expect(answer.field("cross-origin-resource-policy") == "same-origin")
      #expect(answer.body.contains("\"status\":\(status)"))
      let metrics = try await client.execute(uri: "/metrics", method: .GET).text
      #expect(metrics.contains("{route=\"other\",status=\"\(status)\"} 1"))
    }
  }

  @Test func `A refusal is sent after the responses to earlier requests`() async throws {
    let photo = try Fixture.bytes(Self.transformed)
    try await serving { client in
      let head = "POST /audit HTTP/1.1\r\nHost: localhost\r\n"
      let post = Array("\(head)Content-Length: \(photo.count)\r\n\r\n".utf8) + photo
      let broken = "\(head)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nx\r\n"
      for rest in [broken, "garbage\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"] {
        let answers = try await client.send(post + post + Array(rest.utf8))
        #expect(answers.map { $0.status } == [200, 200, 400])
      }
    }
  }

  // MARK: Targets

  @Test func `The host of an absolute target takes precedence over Host`() async throws {
    try await serving { client in
      for (target, host, status) in [
        ("http://localhost/audit", "localhost", 415),
        ("HTTP://127.0.0.1:8080/audit?unaligned=skip", "localhost", 415),
        ("http://localhost/audit", "other.example", 415),
        ("http://other.example/audit", "localhost", 421), ("http://localhost", "localhost", 405),
        ("http://localhost?/audit", "localhost", 405),
      ] {
        let answers = try await client.send(
          "POST \(target) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"
        )
        #expect(answers.map { $0.status } == [status], "\(target)")
      }
    }
  }
}
