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

  @Test func `An output whose sidecar is missing is not taken for done`() throws {
    for name in ["a", "b"] {
      try scratch.copy(rotatedFixture, as: "tree/\(name).jpg")
      try scratch.write(Sidecars.packet(6), to: "tree/\(name).xmp")
    }
    try scratch.copy(uprightFixture, as: "tree/c.jpg")
    try scratch.write(Sidecars.packet(1), to: "tree/c.jpg.xmp")
    let arguments = [
      "normalize", "-r", scratch.path("tree"), "--journal", scratch.path("journal"), "--output-dir",
      scratch.path("out"), "--sidecars", "update",
    ]
    #expect(try upright(arguments).status == 0)
    #expect(try upright(arguments).text.contains("3 done in an earlier run"))
    for name in ["out/a.xmp", "out/c.jpg.xmp"] {
      try FileManager.default.removeItem(atPath: scratch.path(name))
    }
    #expect(try upright(arguments).text.contains("1 done in an earlier run"))
    #expect(try scratch.read("out/a.xmp") == Sidecars.packet(1))
    #expect(try scratch.read("out/c.jpg.xmp") == Sidecars.packet(1))
    try scratch.write([0], to: "out/b.xmp")
    for option in [[], ["--overwrite"]] {
      #expect(try upright(arguments + option).text.contains("3 done in an earlier run"))
    }
    #expect(try scratch.read("out/b.xmp") == [0])
  }

  @Test func `An output that is missing or was changed is not taken for done`() throws {
    try fill("tree", copies: 1)
    let out = scratch.path("out")
    let arguments = [
      "normalize", "-r", scratch.path("tree"), "--journal", scratch.path("journal"), "--output-dir",
      out,
    ]
    #expect(try upright(arguments).status == 0)
    #expect(try upright(arguments).text.contains("9 done in an earlier run"))
    let outputs = try tree("out")
    try FileManager.default.removeItem(atPath: scratch.path("out/0/aligned-1.jpg"))
    try FileManager.default.removeItem(atPath: scratch.path("out/0/aligned-6.jpg"))
    #expect(try upright(arguments).text.contains("7 done in an earlier run"))
    #expect(try tree("out") == outputs)
    try scratch.write([0], to: "out/0/aligned-3.jpg")
    let refused = try upright(arguments)
    #expect(refused.status == 2 && refused.text.contains("8 done in an earlier run"))
    #expect(try upright(arguments + ["--overwrite"]).status == 0)
    #expect(try tree("out") == outputs)
    // The outputs may be the photos of another run.
    let next = ["normalize", "-r", out, "--journal", scratch.path("journal")]
    #expect(try upright(next).text.contains("9 files: 9 already upright"))
  }

  @Test(arguments: [["normalize"], ["rotate", "90"]])
  func `A photo of which only a copy was made is not taken for done`(command: [String]) throws {
    try fill("tree", copies: 1)
    let options = ["-r", scratch.path("tree"), "--journal", scratch.path("journal")]
    #expect(try upright(command + options + ["--output-dir", scratch.path("out")]).status == 0)
    let outputs = try tree("out")
    #expect(try upright(command + options).status == 0)
    #expect(try tree("tree") == outputs)
    #expect(try upright(command + options).text.contains("9 done in an earlier run"))
    #expect(try tree("tree") == outputs)
  }

  @Test func `Another command is not taken for done, and does nothing twice`() throws {
    try fill("tree", copies: 1)
    func run(_ command: String...) throws -> Tool {
      try upright(command + ["-r", scratch.path("tree"), "--journal", scratch.path("journal")])
    }
    #expect(try run("normalize").status == 0)
    #expect(try run("rotate", "180").text.contains("9 rotated"))
    let rotated = try tree("tree")
    #expect(try run("rotate", "180").text.contains("9 done in an earlier run"))
    for command in [["rotate", "90"], ["normalize"], ["tag", "set", "6"]] {
      let result = try upright(
        command + ["-r", scratch.path("tree"), "--journal", scratch.path("journal")]
      )
      #expect(result.status == 2 && result.errorText.contains("rotate-180"), "\(command)")
    }
    #expect(try tree("tree") == rotated)
  }

  @Test func `Another angle is not added to the first, also where only the tag was changed`() throws
  {
    try fill("tree", copies: 1)
    func rotate(_ angle: String) throws -> Tool {
      try upright(
        ["rotate", angle, "-r", scratch.path("tree"), "--journal", scratch.path("journal")]
      )
    }
    #expect(try rotate("270").status == 0)
    let rotated = try tree("tree")
    let second = try rotate("90")
    #expect(second.status == 2 && second.text.contains("9 files: 9 failed"))
    #expect(try tree("tree") == rotated)
  }

  @Test func `A crop that is aligned otherwise is not taken for done`() throws {
    try scratch.copy("orientation/aligned-6.jpg", as: "a.jpg")
    func crop(_ option: String) throws -> Tool {
      try upright([
        "crop", "16x16+8+8", option, "--backup", ".orig", "--journal", scratch.path("journal"),
        scratch.path("a.jpg"),
      ])
    }
    #expect(try crop("--snap=grow").status == 0)
    let cropped = try scratch.read("a.jpg")
    let second = try crop("--exact")
    #expect(second.status == 2 && second.errorText.contains("did crop 16x16+8+8"))
    #expect(try scratch.read("a.jpg") == cropped)
  }

  @Test func `A journal lists any name`() throws {
    for name in ["line\nfeed", "\\n", "tab\t"] {
      try scratch.write(try Fixture.bytes(rotatedFixture), to: "tree/\(name).jpg")
    }
    let arguments = [
      "rotate", "90", "-r", scratch.path("tree"), "--journal", scratch.path("journal"),
    ]
    #expect(try upright(arguments).status == 0)
    #expect(try upright(arguments).text.contains("3 files: 3 done in an earlier run"))
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

  @Test(arguments: [
    ["rotate", "90"], ["flip", "vertical", "--sidecars", "update"], ["rotate", "90", "--tag-only"],
    ["crop", "32x32+0+0", "--backup", ".orig", "--include", "*.jpg"],
  ])
  func `What a killed run has replaced and not listed is not transformed twice`(
    command: [String]
  ) throws {
    try fill("tree", copies: 1)
    let arguments = command + ["-r", scratch.path("tree"), "--journal", scratch.path("journal")]
    #expect(try upright(arguments).status == 0)
    let done = try tree("tree")
    // As if the run had been killed after each replacement.
    let lines = String(decoding: try scratch.read("journal"), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("begun\t") } == 9)
    let begun = lines.filter { !$0.hasPrefix("2\t") }.joined(separator: "\n") + "\n"
    try scratch.write(Array(begun.utf8), to: "journal")
    let second = try upright(arguments)
    #expect(
      second.text.contains("9 files: 9 done in an earlier run"),
      "\(second.text)\(second.errorText)"
    )
    #expect(try tree("tree") == done)
    let other = try upright(
      ["rotate", "180", "-r", scratch.path("tree"), "--journal", scratch.path("journal")]
    )
    #expect(other.status == 2 && other.text.contains("9 failed"), "\(other.text)")
    #expect(try tree("tree") == done)
  }

  /// Changes or returns the modification time of a file.
  private func time(_ path: String, _ time: Date? = nil) throws -> Date? {
    if let time {
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    }
    return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }

  @Test func `A photo that was undone is processed again, even with its former size and time`()
    throws
  {
    let photo = try scratch.copy("conflict/dimensions-tag-6.jpg", as: "tree/photo.jpg")
    let original = try scratch.read("tree/photo.jpg")
    let record = ["--record", scratch.path("record")]
    let arguments =
      ["normalize", "-r", scratch.path("tree"), "--on-conflict", "reset-tag"]
      + ["--journal", scratch.path("journal")] + record
    #expect(try upright(arguments).text.contains("Orientation set to 1"))
    let (done, written) = (try time(photo), try scratch.read("tree/photo.jpg"))
    #expect(written.count == original.count)
    #expect(try upright(["undo", "-r", scratch.path("tree")] + record).status == 0)
    _ = try time(photo, done)
    #expect(try scratch.read("tree/photo.jpg") == original)
    #expect(try upright(arguments).text.contains("Orientation set to 1"))
    #expect(try scratch.read("tree/photo.jpg") == written)
  }

  @Test(arguments: [["rotate", "90"], ["normalize"]])
  func `A copy with other times is done, because its content is`(command: [String]) throws {
    try fill("tree", copies: 1)
    let arguments = command + ["-r", scratch.path("tree"), "--journal", scratch.path("journal")]
    #expect(try upright(arguments).status == 0)
    let done = try tree("tree")
    for name in done.keys {
      let path = scratch.path("tree/" + name)
      try scratch.write(try scratch.read("tree/" + name), to: "copy.jpg")
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: scratch.path("copy.jpg"), toPath: path)
      _ = try time(path, Date(timeIntervalSince1970: 1_000_000_000))
    }
    let second = try upright(arguments)
    #expect(second.text.contains("done in an earlier run") && second.status == 0)
    #expect(try tree("tree") == done)
  }

  @Test func `A journal of an earlier version only spares work that may not be repeated`() throws {
    let photos = try ["a", "b"].map { name in
      try scratch.copy("orientation/aligned-1.jpg", as: "tree/\(name).jpg")
    }
    let seconds = 1_700_000_000
    for photo in photos { _ = try time(photo, Date(timeIntervalSince1970: Double(seconds))) }
    let size = try scratch.read("tree/a.jpg").count
    for (status, text) in [
      ("normalized", "2 already upright"), ("rotated", "2 done in an earlier"),
    ] {
      let lines = photos.map { "\(status)\t\(size)\t\(seconds)\t0\t\($0)\n" }
      let journal = "upright-journal/1\n" + lines.joined()
      try scratch.write(Array(journal.utf8), to: "journal-" + status)
      let result = try upright(
        ["normalize", "--journal", scratch.path("journal-" + status), "-r", scratch.path("tree")]
      )
      #expect(result.text.contains(text), "\(result.text)\(result.errorText)")
    }
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
