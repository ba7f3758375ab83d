import Fixtures
import Foundation
import Testing

/// A file that several paths lead to is counted once, and has one line in a journal.
struct OnceTests {
  private let scratch: Scratch
  private let photo: [UInt8]

  init() throws {
    scratch = try Scratch()
    photo = try Fixture.bytes(rotatedFixture)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path(name),
      withDestinationPath: target
    )
  }

  /// What a command makes of the photo alone.
  private func once(_ command: [String]) throws -> [UInt8] {
    let copy = try Scratch()
    let file = try copy.write(photo, to: "a.jpg")
    let result = try upright(command + [file])
    #expect(result.status == 0)
    return try copy.read("a.jpg")
  }

  @Test func `Audit, dry run and run agree on how many files there are`() throws {
    try scratch.write(photo, to: "tree/a.jpg")
    try scratch.write(photo, to: "tree/b.jpg")
    try link("tree/c.jpg", to: "a.jpg")
    try FileManager.default.linkItem(
      atPath: scratch.path("tree/b.jpg"),
      toPath: scratch.path("tree/d.jpg")
    )
    let tree = scratch.path("tree")
    let summaries = try [
      ["audit", "--format", "text", tree],
      ["normalize", "-r", "-n", "--hard-links", "break", tree],
    ].map { try #require(try upright($0).lines.last) }
    #expect(
      summaries[0] == "2 files: 1 to rotate, 1 skipped (1 hard-linked), 2 ignored (2 duplicates)"
    )
    let notices = try upright(["audit", "-v", tree]).errorLines
    #expect(notices.filter { $0.hasSuffix(": ignored (duplicate)") }.count == 2)
    // Each name is a file of its own then.
    #expect(summaries[1] == "3 files: 3 to rotate, 1 ignored (1 duplicate)")
    let json = try upright(["normalize", "-r", "-n", "--format", "json", tree]).text
    #expect(json.contains(#""statuses":{"planned":1,"skipped":1},"ignored":{"duplicate":2}"#))
    let refused = try upright(["normalize", "-r", "-j1", tree])
    #expect(refused.status == 1)
    #expect(
      refused.lines.last
        == "2 files: 1 rotated, 1 skipped (1 hard-linked), 2 ignored (2 duplicates)"
    )
  }

  @Test func `Two files of a list do not become one output`() throws {
    try scratch.write(photo, to: "x/a.jpg")
    try scratch.write(photo, to: "a.jpg")
    let list = [scratch.path("a.jpg"), "/.." + scratch.path("a.jpg"), "../a.jpg", "a.jpg"]
    let command = ["-c", "cd \"$0\" && exec \"$@\"", scratch.path("x"), uprightBinary.path]
    let arguments = [
      "rotate", "90", "-j1", "--files-from", "-", "--overwrite", "--output-dir",
      scratch.path("out"),
    ]
    let result = try Tool.run(
      "sh",
      command + arguments,
      input: Array(list.joined(separator: "\n").utf8)
    )
    #expect(result.status == 2)
    #expect(
      result.errorText.contains("a.jpg: error: not created: ../a.jpg has the same output path.")
    )
    #expect(result.lines.last == "3 files: 2 rotated, 1 failed, 1 ignored (1 duplicate)")
  }

  @Test func `A journal identifies a file by any of its paths`() throws {
    let expected = try once(["rotate", "90"])
    try scratch.write(photo, to: "tree/a.jpg")
    try link("link.jpg", to: "tree/a.jpg")
    let paths = ["tree/a.jpg", "tree/./a.jpg", "link.jpg"].map { scratch.path($0) }
    for order in [paths, paths.reversed(), paths] {
      let arguments = ["rotate", "90", "--journal", scratch.path("journal"), "--files-from", "-"]
      let list = order.joined(separator: "\n")
      #expect(try upright(arguments, input: Array(list.utf8)).status == 0)
      #expect(try scratch.read("tree/a.jpg") == expected)
    }
  }
}
