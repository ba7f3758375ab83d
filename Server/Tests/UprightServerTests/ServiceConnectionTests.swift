import Foundation
import NIOHTTP1
import Testing
import Upright
import UprightServer

/// Slow clients, endless bodies, closed connections and pipelined requests.
@Suite(.serialized) struct ServiceConnectionTests {
  private static let head =
    "POST /normalize HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 1000\\r\\n"

  @Test func `A body that stalls is answered with 408, and the connection ends`() async throws {
    try await serving(configuration { $0.timeouts.pause = .milliseconds(300) }) { client in
      let answer = try await client.answer(
        to: "printf '\(Self.head)\\r\\nabc' >&3; timeout 60 cat <&3"
      )
      #expect(answer.status == 0)
      #expect(answer.text.hasPrefix("HTTP/1.1 408"))
      #expect(answer.text.contains("\"code\":\"slow\""))
      #expect(answer.text.components(separatedBy: "HTTP/1.1").count == 2)
      let metrics = try await client.execute(uri: "/metrics", method: .GET).text
      #expect(metrics.contains("status=\"408\"} 1"))
      // It is released when the client has disconnected or its time limit has passed.
      for attempt in 1... {
        let metrics = try await client.execute(uri: "/metrics", method: .GET).text
        if metrics.contains("upright_body_bytes 0") { break }
        try #require(attempt < 100)
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  @Test func `A body that the client does not send completely is counted once`() async throws {
    try await serving { client in
      _ = try await client.answer(to: "printf '\(Self.head)\\r\\nabc' >&3; exec 3<&-")
      for attempt in 1... {
        try await Task.sleep(for: .milliseconds(50))
        let metrics = try await client.execute(uri: "/metrics", method: .GET).text
        if attempt < 100, !metrics.contains("{route=\"other\",status=\"400\"} 1") { continue }
        #expect(attempt < 100)
        #expect(!metrics.contains("normalize"))
        #expect(metrics.contains("upright_work_seconds_count 0"))
        break
      }
    }
  }

  @Test func `A connection above the maximum waits until another one ends`() async throws {
    try await serving(configuration { $0.connections = 1 }) { client in
      let get = "printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'"
      let answer = try await client.answer(
        to: """
          \(get) >&3; read -t 20 -r line <&3; echo "$line"
          exec 4<>/dev/tcp/localhost/\(client.port)
          \(get) >&4; read -t 1 -r line <&4 || echo waits
          exec 3<&-; read -t 20 -r line <&4; echo "$line"
          """
      )
      #expect(answer.text == "HTTP/1.1 200 OK\r\nwaits\nHTTP/1.1 200 OK\r\n")
    }
  }

  @Test func `A slow body is cut off at its deadline`() async throws {
    try await serving(configuration { $0.timeouts.body = .milliseconds(600) }) { client in
      let drip = "(for i in $(seq 60); do printf x; sleep 0.1; done) >&3 2> /dev/null &"
      let answer = try await client.answer(
        to: "printf '\(Self.head)\\r\\n' >&3; \(drip) timeout 60 cat <&3"
      )
      #expect(answer.text.hasPrefix("HTTP/1.1 408"))
    }
  }

  @Test func `A slow head is cut off`() async throws {
    try await serving(configuration { $0.timeouts.head = .milliseconds(500) }) { client in
      let drip = "(for i in $(seq 60); do printf 'GET /'; sleep 0.1; done) >&3 2> /dev/null &"
      let answer = try await client.answer(to: "\(drip) timeout 60 cat <&3")
      #expect(answer.status != 124)
      #expect(!answer.text.contains("200"))
    }
  }

  @Test func `An endless body is answered with 413, and the connection ends`() async throws {
    try await serving(configuration { $0.options.maxBytes = 100_000 }) { client in
      let head =
        "POST /normalize HTTP/1.1\\r\\nHost: localhost\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
      let chunks = "(while printf '1000\\r\\n%4096s\\r\\n' ''; do :; done) >&3 2> /dev/null &"
      let answer = try await client.answer(to: "printf '\(head)' >&3; \(chunks) timeout 60 cat <&3")
      #expect(answer.status != 124)
      #expect(answer.text.hasPrefix("HTTP/1.1 413"))
      #expect(answer.text.lowercased().contains("connection: close"))
    }
  }

  @Test func `Garbage is answered with 400`() async throws {
    try await serving { client in
      let answer = try await client.answer(
        to: "printf '\\x00\\xFF garbage\\r\\n\\r\\n' >&3; timeout 60 cat <&3"
      )
      #expect(answer.text.hasPrefix("HTTP/1.1 400"))
    }
  }

  @Test func `A client that waits for 100 Continue gets it if its body is accepted`() async throws {
    try await serving { client in
      let answer = try await client.answer(
        to: """
          printf '\(Self.head)Expect: 100-continue\\r\\n\\r\\n' >&3
          read -t 20 -r line <&3; echo "$line"
          printf '%1000s' '' >&3
          timeout 60 head -4 <&3
          """
      )
      #expect(answer.text.hasPrefix("HTTP/1.1 100 Continue"))
      #expect(answer.text.contains("HTTP/1.1 415"))
    }
    try await serving(configuration { $0.options.maxBytes = 999 }) { client in
      let answer = try await client.answer(
        to: "printf '\(Self.head)Expect: 100-continue\\r\\n\\r\\n' >&3; timeout 60 cat <&3"
      )
      #expect(answer.text.hasPrefix("HTTP/1.1 413"))
    }
  }

  @Test func `Pipelined requests are answered in order`() async throws {
    try await serving { client in
      let get = "GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n"
      let post =
        "POST /normalize HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 3\\r\\n\\r\\nabc"
      let answer = try await client.answer(
        to:
          "printf '\(get)\\r\\n\(post)\(get)Connection: close\\r\\n\\r\\n' >&3; timeout 60 cat <&3"
      )
      let statuses = answer.text.components(separatedBy: "HTTP/1.1 ").dropFirst().map {
        $0.prefix(3)
      }
      #expect(statuses == ["200", "415", "200"])
    }
  }

  @Test func `A response that is not read is dropped, and its memory released`() async throws {
    let scratch = try Scratch()
    let path = try scratch.write(try longPhoto(), to: "photo.jpg")
    try await serving(configuration { $0.timeouts.taking = .seconds(3) }) { client in
      let answer = try await client.answer(
        to: """
          cat <(printf 'POST /normalize HTTP/1.1\\r\\nHost: localhost\\r\\n') \\
            <(printf 'Content-Length: %d\\r\\n\\r\\n' $(stat -c %s '\(path)')) '\(path)' >&3
          exec 4<>/dev/tcp/localhost/\(client.port)
          for i in $(seq 200); do
            printf 'GET /metrics HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&4
            cat <&4 | grep '^upright_photos_total{status="normalized"} 1' -A100 | grep ^upright_body && break
            exec 4<>/dev/tcp/localhost/\(client.port)
          done
          sleep 4
          timeout 60 cat <&3 | wc -c
          """
      )
      let lines = answer.lines
      #expect(lines.first.map { $0.hasSuffix(" 0") } == false, "\(lines)")
      #expect(lines.last.flatMap { Int($0) }.map { $0 < 16 << 20 } == true, "\(lines)")
      let metrics = try await client.execute(uri: "/metrics", method: .GET).text
      #expect(metrics.contains("upright_body_bytes 0"))
    }
  }

  #if os(Linux)
  @Test func `There are only as many connections as the process may have files open`()
    async throws
  {
    let scratch = try Scratch()
    // The 14th and 15th numbers of /proc/PID/stat are hundredths of a second.
    let script = """
      cd "$2"
      (ulimit -n 100; exec "$1" serve --port 0 --jobs 1 2> log) & pid=$!
      for i in $(seq 200); do grep -q listening log && break; sleep 0.1; done
      port=$(sed -n 's|.*http://127.0.0.1:\\([0-9]*\\)/|\\1|p' log)
      for i in $(seq 60); do exec {fd}<>/dev/tcp/127.0.0.1/$port; fds+=($fd); done
      spent() { cut -d' ' -f14,15 /proc/$pid/stat | tr ' ' +; }
      before=$(spent); sleep 2; echo $(($(spent) - ($before) < 50))
      grep -c 'warning: --connections is 50,' log
      for fd in ${fds[@]}; do exec {fd}>&-; done
      exec 3<>/dev/tcp/127.0.0.1/$port
      printf 'GET /metrics HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3
      timeout 60 head -n 1 <&3
      kill -TERM $pid; wait $pid; echo "exit $?"
      """
    let run = try await waiting {
      try Tool.run("bash", ["-c", script, "bash", uprightBinary.path, scratch.url.path])
    }
    #expect(run.text == "1\n1\nHTTP/1.1 200 OK\r\nexit 0\n", "\(run.errorText)")
  }

  @Test(
    .enabled(if: FaultLibrary.isUsable, "no library can be preloaded: install a C compiler"),
    arguments: [
      (EMFILE, ["HTTP/1.1 200 OK", "exit 0"]),
      (
        ENETDOWN,
        [
          "exit 2",
          "the service ends, because it cannot accept connections any more: Network is down",
        ]
      ),
    ] as [(Int32, [String])]
  )
  func `If a connection cannot be accepted, the service tries again or says why it ends`(
    error: Int32,
    expected: [String]
  ) async throws {
    let scratch = try Scratch()
    let script = """
      cd "$2"
      "$1" serve --port 0 --connections 16 2> log & pid=$!
      for i in $(seq 200); do grep -q listening log && break; sleep 0.1; done
      port=$(sed -n 's|.*http://127.0.0.1:\\([0-9]*\\)/|\\1|p' log)
      exec 3<>/dev/tcp/127.0.0.1/$port
      printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3
      answer=$(timeout 60 head -n 1 <&3 | tr -d '\\r')
      [ -z "$answer" ] || { echo "$answer"; kill -TERM $pid; }
      wait $pid; echo "exit $?"
      tail -n +2 log
      """
    let run = try await waiting {
      try Tool.run(
        URL(filePath: "/bin/bash"),
        ["-c", script, "bash", uprightBinary.path, scratch.url.path],
        environment: ["UPRIGHT_FAULT": "accept 1 fail \(error) connections"],
        preloaded: try FaultLibrary.file.get()
      )
    }
    #expect(run.lines == expected, "\(run.errorText)")
  }
  #endif

  /// A photo with so many bytes after it that no buffer of the system holds it.
  private func longPhoto() throws -> [UInt8] {
    try Fixture.bytes("orientation/aligned-6.jpg") + [UInt8](repeating: 0, count: 24 << 20)
  }

  @Test func `SIGTERM ends the service when the request that has begun is answered`() async throws {
    let photo = try longPhoto()
    let scratch = try Scratch()
    let path = try scratch.write(photo, to: "photo.jpg")
    let script = """
      cd "$(dirname "$2")"
      "$1" serve --port 0 2> log & pid=$!
      for i in $(seq 200); do grep -q listening log && break; sleep 0.1; done
      port=$(sed -n 's|.*http://127.0.0.1:\\([0-9]*\\)/|\\1|p' log)
      exec 3<>/dev/tcp/127.0.0.1/$port
      printf 'POST /normalize HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: \(photo.count)\\r\\n\\r\\n' >&3
      head -c 1000 "$2" >&3; sleep 0.3
      kill -TERM $pid; sleep 0.3
      tail -c +1001 "$2" >&3
      sleep 2
      timeout 60 cat <&3 > answer
      wait $pid; echo "exit $?"
      """
    let run = try await waiting {
      try Tool.run("bash", ["-c", script, "bash", uprightBinary.path, path])
    }
    #expect(run.text == "exit 0\n", "\(run.errorText)")
    let head = String(decoding: try scratch.read("answer").prefix(2000), as: UTF8.self)
    #expect(head.hasPrefix("HTTP/1.1 200") && head.contains("\r\nConnection: close\r\n"))
    let result = try Rewriter().rewrite(photo)
    guard case .rewritten(let rewrite) = result else { return }
    #expect(try scratch.read("answer").suffix(rewrite.bytes.count) == rewrite.bytes[...])
  }
}
