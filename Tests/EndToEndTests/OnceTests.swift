import Fixtures
import Foundation
import Testing

/// A file that several paths lead to is worked on once a run.
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

  private static let commands = [
    ["normalize"], ["rotate", "90"], ["flip", "horizontal"], ["transpose"], ["transverse"],
    ["rotate", "90", "--tag-only"], ["tag", "set", "3"],
    ["crop", "16x16+16+16", "--backup", ".orig"],
  ]

  @Test(arguments: commands)
  func `Links in a tree, roots that overlap and spellings in a list lead to one file`(
    command: [String]
  ) throws {
    let expected = try once(command)
    try scratch.write([], to: "tree/sub/empty")
    try link("tree/0.jpg", to: "sub/a.jpg")
    try link("tree/sub/z.jpg", to: "../1.jpg")
    try link("tree/1.jpg", to: "sub/a.jpg")
    try link("tree/elsewhere", to: "sub")
    let tree = scratch.path("tree")
    let spellings = ["tree/sub/a.jpg", "tree/./sub/a.jpg", "tree/sub/../sub/a.jpg", "tree/1.jpg"]
    let list = spellings.map { scratch.path($0) }.joined(separator: "\n")
    let ways: [(arguments: [String], input: String, duplicates: Int)] = [
      (["-r", tree], "", 3),
      (["-r", tree, tree + "/sub"], "", 5), (["-r", tree + "/sub", tree], "", 5),
      (["-r", tree, "--follow", "all"], "", 5),
      (["--files-from", "-"], list, 3), (spellings.map { scratch.path($0) }, "", 3),
    ]
    for (arguments, input, duplicates) in ways {
      for jobs in ["-j8"] {
        try scratch.write(photo, to: "tree/sub/a.jpg")
        try? FileManager.default.removeItem(atPath: scratch.path("tree/sub/a.jpg.orig"))
        let result = try upright(command + arguments + ["-v", jobs], input: Array(input.utf8))
        #expect(result.status == 0, "\(arguments): \(result.errorText)")
        #expect(try scratch.read("tree/sub/a.jpg") == expected, "\(arguments)")
        let notices = result.errorLines.filter { $0.hasSuffix(": ignored (duplicate)") }
        #expect(notices.count == duplicates, "\(arguments): \(result.errorText)")
        let summary = try #require(result.lines.last)
        #expect(summary.hasPrefix("1 file: "), "\(summary)")
        #expect(summary.contains("\(duplicates) duplicate"), "\(summary)")
      }
    }
  }

  @Test func `Many threads and many links to few files transform each once`() throws {
    let expected = try once(["rotate", "90"])
    for number in 0..<10 {
      try scratch.write(photo, to: "originals/\(number).jpg")
      for copy in 0..<20 { try scratch.write([], to: "tree/\(copy)/none") }
      for copy in 0..<20 {
        try link("tree/\(copy)/\(number).jpg", to: "../../originals/\(number).jpg")
      }
    }
    let result = try upright(["rotate", "90", "-r", "-j", "8", scratch.path("tree")])
    #expect(result.status == 0)
    #expect(
      result.lines.last
        == "10 files: 10 rotated, 210 ignored (190 duplicates, 20 files with other names: --all-names)"
    )
    for number in 0..<10 { #expect(try scratch.read("originals/\(number).jpg") == expected) }
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

  @Test(arguments: [["normalize"], ["rotate", "90"]])
  func `Where hard links are broken, each name is transformed once`(command: [String]) throws {
    let expected = try once(command)
    try scratch.write(photo, to: "tree/a.jpg")
    for name in ["b", "c"] {
      try FileManager.default.linkItem(
        atPath: scratch.path("tree/a.jpg"),
        toPath: scratch.path("tree/\(name).jpg")
      )
    }
    let tree = scratch.path("tree")
    let arguments = [
      "-r", "-j4", "--hard-links", "break", tree, tree + "/a.jpg", tree + "/./b.jpg",
    ]
    let result = try upright(command + arguments)
    #expect(result.status == 0)
    #expect(result.lines.last == "3 files: 3 rotated, 2 ignored (2 duplicates)")
    for name in ["a", "b", "c"] { #expect(try scratch.read("tree/\(name).jpg") == expected) }
  }

  @Test func `An output directory has a file for each name, and none twice`() throws {
    let expected = try once(["rotate", "90"])
    try scratch.write(photo, to: "tree/a.jpg")
    try link("tree/b.jpg", to: "a.jpg")
    let tree = scratch.path("tree")
    let out = ["--output-dir", scratch.path("out")]
    let result = try upright(["rotate", "90", "-r", tree, tree + "/a.jpg"] + out)
    #expect(result.status == 0)
    #expect(result.lines.last == "2 files: 2 rotated, 1 ignored (1 duplicate)")
    for name in ["a", "b"] { #expect(try scratch.read("out/\(name).jpg") == expected) }
    #expect(try scratch.read("tree/a.jpg") == photo)
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

  @Test func `An undo processes a file once, too`() throws {
    try scratch.write(photo, to: "tree/a.jpg")
    try link("tree/b.jpg", to: "a.jpg")
    let (tree, record) = (scratch.path("tree"), scratch.path("record"))
    #expect(try upright(["rotate", "90", "-r", "--record", record, tree]).status == 0)
    let result = try upright(["undo", "-r", "--record", record, tree, tree + "/a.jpg"])
    #expect(result.status == 0)
    #expect(result.lines.last == "1 file: 1 restored, 2 ignored (2 duplicates)")
    #expect(try scratch.read("tree/a.jpg") == photo)
  }

  @Test func `Links to one file belong to one part of a shard`() throws {
    try scratch.write(photo, to: "elsewhere/a.jpg")
    try scratch.write([], to: "tree/none")
    for number in 0..<20 { try link("tree/\(number).jpg", to: "../elsewhere/a.jpg") }
    let expected = try once(["rotate", "90"])
    for part in 0..<4 {
      let arguments = ["rotate", "90", "-r", "--shard", "\(part)/4", scratch.path("tree")]
      #expect(try upright(arguments).status == 0)
    }
    #expect(try scratch.read("elsewhere/a.jpg") == expected)
  }

  @Test func `Hard links that are named are broken, each name once, and restored so`() throws {
    let expected = try once(["normalize"])
    try scratch.write(photo, to: "c.jpg")
    try FileManager.default.linkItem(atPath: scratch.path("c.jpg"), toPath: scratch.path("h.jpg"))
    let (files, record) = (["c.jpg", "h.jpg"].map { scratch.path($0) }, scratch.path("record"))
    let breaking = ["--hard-links", "break", "--record", record]
    #expect(try upright(["normalize"] + breaking + files + files).status == 0)
    for name in ["c.jpg", "h.jpg"] { #expect(try scratch.read(name) == expected) }
    #expect(try upright(["undo"] + breaking + files).status == 0)
    for name in ["c.jpg", "h.jpg"] { #expect(try scratch.read(name) == photo) }
    // Two names of one result.
    #expect(try upright(["normalize", "--record", record, files[0]]).status == 0)
    try FileManager.default.removeItem(atPath: files[1])
    try FileManager.default.linkItem(atPath: files[0], toPath: files[1])
    #expect(try upright(["undo"] + breaking + files).status == 0)
    for name in ["c.jpg", "h.jpg"] { #expect(try scratch.read(name) == photo) }
  }
}
