import Fixtures
import Foundation
import Testing

/// Batches that go on where they stopped.
@Suite(.serialized) struct JournalTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func fill(_ directory: String, copies: Int) throws {
    let fixtures = (1...8).map { "orientation/aligned-\($0).jpg" } + ["sample/portrait.jpg"]
    for copy in 0..<copies {
      for fixture in fixtures {
        let name = "\(directory)/\(copy)/\(fixture.split(separator: "/")[1])"
        try scratch.write(try Fixture.bytes(fixture), to: name)
      }
    }
  }

  private func tree(_ directory: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    let all = FileManager.default.enumerator(atPath: scratch.path(directory))
    while let name = all?.nextObject() as? String {
      let path = "\(directory)/\(name)"
      if name.hasSuffix(".jpg") { files[name] = try scratch.read(path) }
    }
    return files
  }

  @Test func `Files that the journal lists are skipped, unless they changed`() throws {
    try fill("tree", copies: 1)
    let arguments = [
      "normalize", "-r", scratch.path("tree"), "--journal", scratch.path("journal"),
    ]
    #expect(try upright(arguments).text.contains("8 rotated"))
    let second = try upright(arguments)
    #expect(second.text.contains("9 files: 9 done in an earlier run"))
    #expect(second.status == 0)
    try scratch.write(try Fixture.bytes("orientation/aligned-8.jpg"), to: "tree/0/aligned-3.jpg")
    #expect(try upright(arguments).text.contains("1 rotated, 8 done in an earlier run"))
  }

  @Test(arguments: [
    ["rotate", "90"], ["rotate", "90", "--tag-only"], ["tag", "set", "3"],
    ["crop", "32x32+0+0", "--backup", ".orig", "--include", "*.jpg"],
  ])
  func `A file in the journal is not transformed twice`(command: [String]) throws {
    try fill("tree", copies: 1)
    let arguments = command + ["-r", scratch.path("tree"), "--journal", scratch.path("journal")]
    #expect(try upright(arguments).status == 0)
    let done = try tree("tree")
    let second = try upright(arguments)
    #expect(
      second.text.contains("9 files: 9 done in an earlier run"),
      "\(second.text)\(second.errorText)"
    )
    #expect(try tree("tree") == done)
  }

  @Test func `A journal is not written into another file`() throws {
    try scratch.write(Array("a letter".utf8), to: "letter")
    try fill("tree", copies: 1)
    let result = try upright([
      "normalize", "-r", scratch.path("tree"), "--journal", scratch.path("letter"),
    ])
    #expect(result.status == 2)
    #expect(try scratch.read("letter") == Array("a letter".utf8))
  }
}
