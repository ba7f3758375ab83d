import Foundation
import Testing
import UprightServer

/// The hosts that the service accepts requests for.
struct ServiceHostTests {
  @Test(arguments: [
    ("LocalHost.", "localhost"), ("Photos.Example.com", "photos.example.com"),
    ("my_host-1", "my_host-1"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "::1"), ("::1", "::1"),
    ("0:0::0:1", "::1"), ("2001:DB8::A", "2001:db8::a"), ("::ffff:10.1.2.3", "10.1.2.3"),
  ])
  func `Equal hosts have one form`(text: String, canonical: String) {
    #expect(HostName(text)?.text == canonical)
  }

  @Test(arguments: [
    "", ".", "a b", "localhost:80", "[127.0.0.1]", "[localhost]", "[::1", "::1%eth0", "a/b",
    "http://a", "user@a", "a,b", "*.example.com", "münchen.example",
    String(repeating: "a", count: 300),
  ])
  func `Invalid hosts are refused`(text: String) {
    #expect(HostName(text) == nil)
  }

  @Test func `Requests for the configured host and the allowed hosts are accepted`() async throws {
    let configuration = configuration {
      $0.host = "0.0.0.0"
      $0.allowedHosts = ["photos.example.com", "2001:db8::1"].compactMap { HostName($0) }
    }
    try await serving(configuration) { client in
      for (host, status) in [
        ("photos.example.com", 200), ("PHOTOS.example.com.:443", 200), ("[2001:DB8:0::1]", 200),
        ("0.0.0.0:8080", 200), ("localhost", 200), ("example.com", 421),
        ("a.photos.example.com", 421), ("10.255.255.1", 421),
      ] {
        let get = "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
        let answers = try await client.send("\(get)\r\n")
        #expect(answers.map { $0.status } == [status], "\(host)")
        let page = try await client.send("\(get)Origin: https://\(host)\r\n\r\n")
        #expect(page.map { $0.status } == [status], "\(host)")
        let other = try await client.send("\(get)Origin: https://other.example\r\n\r\n")
        #expect(other.map { $0.status } == [status == 200 ? 403 : status], "\(host)")
      }
    }
  }

  /// An address of this machine, besides those of the loopback interface.
  private static let address = try? Tool.run("hostname", ["-I"]).text
    .split(whereSeparator: \.isWhitespace).first { $0.contains(".") }

  @Test(
    .enabled(if: address != nil, "this machine has no IPv4 address: connect it to a network")
  )
  func `Requests for the local address of a connection are accepted`() async throws {
    let address = try #require(Self.address)
    try await serving(configuration { $0.host = "0.0.0.0" }) { client in
      // Connections of this machine to its own address do not leave it.
      for (host, status) in [("\(address):80", 200), ("other.example", 421), ("10.255.255.1", 421)]
      {
        let script = """
          exec 3<>/dev/tcp/\(address)/\(client.port)
          printf 'GET / HTTP/1.1\\r\\nHost: \(host)\\r\\nConnection: close\\r\\n\\r\\n' >&3
          timeout 60 cat <&3
          """
        let answer = try await waiting { try Tool.run("bash", ["-c", script]) }
        #expect(RawAnswer.all(in: answer.text).map { $0.status } == [status], "\(host)")
      }
    }
  }

  @Test(arguments: [("0.0.0.0", true), ("::", true), ("127.0.0.1", false), ("localhost", false)])
  func `The command warns when other machines can reach it`(
    host: String,
    warns: Bool
  ) async throws {
    let run = try await waiting {
      try Tool.run(
        "bash",
        [
          "-c",
          """
          log=$(mktemp); "$1" serve --host \(host) --port 0 --allowed-host photos.example.com 2> "$log" & pid=$!
          for i in $(seq 200); do grep -q listening "$log" && break; sleep 0.05; done
          sleep 0.2; kill -TERM $pid; wait $pid; echo "exit $?"; cat "$log"; rm "$log"
          """, "bash", uprightBinary.path,
        ]
      )
    }
    #expect(run.lines.first == "exit 0")
    #expect(run.text.contains("listening on http://"))
    #expect(run.text.contains("\nwarning: other machines can reach this service") == warns)
  }

  @Test func `The command refuses an invalid host`() async throws {
    let run = try await waiting {
      try Tool.run(
        uprightBinary,
        ["serve", "--port", "0", "--allowed-host", "http://photos.example.com/"]
      )
    }
    #expect(run.status == 64)
    #expect(run.errorText.contains("--allowed-host"))
  }
}
