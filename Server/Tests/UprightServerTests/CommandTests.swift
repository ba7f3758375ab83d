import Foundation
import Testing
import Upright
import UprightServer

/// `upright serve` and the program that it starts have the same command line.
struct CommandTests {
  /// The long options in a help text.
  private func options(_ help: String) -> Set<String> {
    Set(help.matches(of: #/\n  --([a-z-]+)/#).map { String($0.1) }).subtracting(["version"])
  }

  @Test func `The program takes every option of the command, and no other`() async throws {
    let (command, program) = try await waiting {
      (
        try Tool.run(uprightBinary, ["serve", "--help-hidden"]),
        try Tool.run(builtFolder.appending(path: "upright-serve"), ["--help"])
      )
    }
    #expect(options(program.text).count > 15)
    #expect(options(command.text) == options(program.text))
  }

  @Test func `The help of the command has the defaults of the program`() async throws {
    let run = try await waiting { try Tool.run(uprightBinary, ["serve", "--help-hidden"]) }
    // An option, its text, which may take several lines, and its default.
    let pattern = #/\n  --(?<name>[a-z-]+)(?<text>(?:(?!\n  --).)*?)\(default:\s+(?<value>\S+)\)/#
      .dotMatchesNewlines()
    let found = run.text.matches(of: pattern).map { (String($0.name), String($0.value)) }
    let policies = Set(Setting.policies.map(\.name))
    let defaults = Dictionary(uniqueKeysWithValues: found).filter { !policies.contains($0.key) }
    let program = ServiceConfiguration()
    let options = program.options
    #expect(
      try defaults == [
        "host": program.host, "port": "\(program.port)", "queue": "\(program.queue)",
        "max-size": "\(#require(options.maxBytes) >> 20)",
        "body-memory": "\(program.bodyMemory >> 20)",
        "time-limit": "\(#require(options.timeLimit).components.seconds)",
        "connections": "\(program.connections)", "max-scans": "\(options.maxScans)",
      ]
    )
    let memory = try #require(options.maxMemory) >> 20
    #expect(
      run.text.replacing(#/\s+/#, with: " ").contains(
        "In serve, the limit holds for each photo; default: \(memory)."
      )
    )
  }

  @Test(arguments: [
    (["--port", "70000"], "Error: --port must be from 0 to 65535."),
    (["--log-names"], "Error: --log-names requires --log."),
    (["--body-memory=1"], "Error: --body-memory must not be less than --max-size."),
    (["--jobs", "0"], "Error: --jobs must be from 1 to 1024."),
  ])
  func `Wrong values are wrong usage`(arguments: [String], message: String) async throws {
    let run = try await waiting { try Tool.run(uprightBinary, ["serve"] + arguments) }
    #expect(run.status == 64)
    #expect(run.errorText.hasPrefix(message + "\nUsage: upright serve"), "\(run.errorText)")
  }

  @Test func `Without the program, the command says how to get it`() async throws {
    let scratch = try Scratch()
    let script = "cd \"$2\" && cp \"$1\" upright && PATH=/nowhere ./upright serve --port 0"
    let run = try await waiting {
      try Tool.run("bash", ["-c", script, "bash", uprightBinary.path, scratch.url.path])
    }
    #expect(run.status == 2)
    #expect(run.errorText.contains("upright-serve cannot be started: No such file or directory"))
    #expect(run.errorText.contains("swift build -c release --package-path Server"))
  }

  @Test(arguments: [("transformed", "converted"), ("high-dynamic-range", "skipped")])
  func `A HEIC photo becomes the file that the command makes of it, if any`(
    name: String,
    action: String
  ) async throws {
    let photo = try Fixture.bytes("heif/\(name).heic")
    let scratch = try Scratch()
    let path = try scratch.write(photo, to: "a.heic")
    let script = """
      cd "$(dirname "$2")"
      "$1" convert "$2" -o expected.jpg
      [ -e expected.jpg ] || cp "$2" expected.jpg
      "$1" serve --port 0 2> log & pid=$!
      for i in $(seq 200); do grep -q listening log && break; sleep 0.05; done
      address=$(sed -n 's|.*\\(http://127.0.0.1:[0-9]*/\\)|\\1|p' log)
      exec 3<>"/dev/tcp/127.0.0.1/$(sed 's|.*:||; s|/||' <<< "$address")"
      printf 'POST /normalize HTTP/1.0\\r\\nHost: localhost\\r\\nContent-Length: \(photo.count)\\r\\n\\r\\n' >&3
      cat "$2" >&3
      timeout 60 cat <&3 > answer
      kill -TERM $pid; wait $pid; echo "exit $?"
      """
    let run = try await waiting {
      try Tool.run("bash", ["-c", script, "bash", uprightBinary.path, path])
    }
    #expect(run.lines.last == "exit 0", "\(run.errorText)")
    let (answer, expected) = (try scratch.read("answer"), try scratch.read("expected.jpg"))
    #expect(answer.starts(with: Array("HTTP/1.1 200".utf8)))
    let head = String(decoding: answer.dropLast(expected.count), as: UTF8.self)
    #expect(head.contains("Upright-Action: \(action)\r\n"), "\(head)")
    #expect(answer.suffix(expected.count) == expected[...])
  }
}
