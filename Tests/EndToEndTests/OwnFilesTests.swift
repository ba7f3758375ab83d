import Fixtures
import Foundation
import Testing

/// Files that a command writes for itself, when two of them are one, or one is an input.
struct OwnFilesTests {
  private let scratch: Scratch
  private let photo: String

  init() throws {
    scratch = try Scratch()
    photo = try scratch.copy(rotatedFixture, as: "tree/a.jpg")
  }

  private func expectRefusal(_ arguments: [String], _ command: String = "normalize") throws {
    let before = try scratch.files()
    let result = try upright([command] + arguments + [photo])
    #expect(result.status == 64, "\(arguments)")
    #expect(try scratch.files() == before)
    #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A record and a journal must be different files`() throws {
    let file = scratch.path("x")
    try expectRefusal(["--record", file, "--journal", file])
    let spelled = scratch.path("tree/../x")
    try expectRefusal(["--record", file, "--journal", spelled])
    try scratch.write([], to: "x")
    try FileManager.default.linkItem(atPath: file, toPath: scratch.path("hard"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("soft"),
      withDestinationPath: file
    )
    for other in [file, spelled, scratch.path("hard"), scratch.path("soft")] {
      try expectRefusal(["--record", file, "--journal", other])
    }
    #expect(
      try upright(["normalize", "--record", file, "--journal", scratch.path("y"), photo]).status
        == 0
    )
  }

  @Test func `A record or journal must not be an input, output, list or sidecar`() throws {
    for option in ["--record", "--journal"] {
      try expectRefusal([option, photo])
      try expectRefusal([option, scratch.path("tree/./a.jpg")])
      try expectRefusal([option, scratch.path("tree/a.xmp")])
      try expectRefusal([option, scratch.path("tree/a.jpg.xmp")])
      let list = try scratch.write([], to: "list")
      try expectRefusal([option, list, "--files-from", list])
    }
    let out = scratch.path("out.jpg")
    try expectRefusal(["--record", out, "-o", out])
    try expectRefusal(["--record", scratch.path("out.xmp"), "-o", out])
  }

  @Test func `An undo does not write over its record`() throws {
    let record = scratch.path("record")
    _ = try upright(["normalize", "--record", record, photo])
    let content = try scratch.read("record")
    let result = try upright(["undo", "-r", "--record", record, "--overwrite", "-o", record, photo])
    #expect(result.status == 64)
    #expect(try scratch.read("record") == content)
  }

  @Test func `A page must not be an input`() throws {
    let result = try upright(["audit", "--html", photo, photo])
    #expect(result.status == 64)
    #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
  }
}
