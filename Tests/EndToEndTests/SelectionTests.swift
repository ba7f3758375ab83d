import Fixtures
import Foundation
import Testing

/// Which files a command works on.
@Suite struct SelectionTests {
  private let scratch: Scratch
  private let photo: [UInt8]

  init() throws {
    scratch = try Scratch()
    photo = try Fixture.bytes("orientation/aligned-6.jpg")
  }

  /// The names of the files that an audit reports, below the scratch directory.
  private func audited(_ arguments: [String], input: [UInt8] = []) throws -> [String] {
    let result = try upright(["audit", "--format", "ndjson"] + arguments, input: input)
    return try result.json().map { String($0.path.dropFirst(scratch.path("x").count - 1)) }
  }

  @Test func `In directories files named like a JPEG are taken, and all JPEG files on request`()
    throws
  {
    try scratch.write(photo, to: "tree/a.jpg")
    try scratch.write(photo, to: "tree/b.dat")
    try scratch.write(photo, to: "tree/c")
    try scratch.write(Array("%PDF-1.7".utf8), to: "tree/d.pdf")
    try scratch.write([], to: "tree/e")
    try scratch.write(Array("no image".utf8), to: "tree/f.jpg")
    #expect(try audited([scratch.path("tree")]) == ["tree/a.jpg", "tree/f.jpg"])
    let names = try audited(["--all-names", scratch.path("tree")])
    #expect(names == ["tree/a.jpg", "tree/b.dat", "tree/c", "tree/f.jpg"])
  }

  @Test(arguments: [["normalize"], ["audit", "--format", "text"], ["tag", "set", "3"]])
  func `Files that describe a photo and are named with it follow it`(command: [String]) throws {
    for name in ["a.jpg", "b.HEIC", "b.c.jpeg"] { try scratch.write(photo, to: name) }
    let companions = [
      "a.XMP", "a.jpg.xmp", "a.jpg.json", "a.jpg.supplemental-metadata.json", "b.AAE", "b.c.pp3",
      "Picasa.ini",
    ]
    for name in companions { try scratch.write(Array("{}".utf8), to: name) }
    let others = ["notes.txt", "a.tif", "c.xmp"]
    for name in others { try scratch.write(Array("{}".utf8), to: name) }
    let ignore = command[0] == "audit" ? [] : ["--sidecars", "ignore"]
    let result = try upright(command + ignore + scratch.files().map { scratch.path($0) })
    #expect(result.text.contains("3 failed"), "\(result.text)")
    #expect(result.text.contains("7 files beside photos: processed with the photo"))
    for name in others { #expect((result.errorText + result.text).contains("\(name): error")) }
    #expect(try scratch.read("a.XMP") == Array("{}".utf8))
    // Alone, it is a mistake.
    #expect(try upright(command + [scratch.path("a.XMP")]).status == 2)
  }

  @Test func `A photo is processed whatever its name, also beside another`() throws {
    for name in ["a.jpg", "a.jpg.old", "a.xmp"] { try scratch.write(photo, to: name) }
    let names = try scratch.files()
    #expect(try audited(["--sidecars", "ignore"] + names.map { scratch.path($0) }) == names)
  }

  @Test func `Paths of a list may contain line feeds if they end with NUL`() throws {
    try scratch.write(photo, to: "a.jpg")
    try scratch.write(photo, to: "line\nfeed.jpg")
    let paths = [scratch.path("a.jpg"), scratch.path("line\nfeed.jpg")]
    let null = paths.joined(separator: "\0")
    #expect(
      try audited(["--files-from", "-", "-0"], input: Array(null.utf8)) == [
        "a.jpg", "line\nfeed.jpg",
      ]
    )
    try scratch.write(Array((scratch.path("a.jpg") + "\n\n").utf8), to: "list")
    #expect(try audited(["--files-from", scratch.path("list")]) == ["a.jpg"])
  }

  @Test func `Files of a list are excluded, too`() throws {
    try scratch.write(photo, to: "a.jpg")
    try scratch.write(photo, to: "b.jpg")
    let list = ["b.jpg", "a.jpg"].map { scratch.path($0) }.joined(separator: "\n")
    let arguments = ["--files-from", "-", "--exclude", "b*"]
    #expect(try audited(arguments, input: Array(list.utf8)) == ["a.jpg"])
  }

  @Test(arguments: ["./tree", "tree/../tree"])
  func `A file belongs to the same shard however its path is written`(tree: String) throws {
    for number in 0..<12 { try scratch.write(photo, to: "tree/\(number).jpg") }
    func share(_ tree: String) throws -> [String] {
      let arguments = ["audit", tree, "--shard", "0/3", "--format", "ndjson"]
      return try upright(arguments, in: scratch.url.path).json()
        .map { URL(filePath: $0.path).lastPathComponent }
    }
    let names = try share("tree")
    #expect(try share(tree) == names && !names.isEmpty)
  }

  @Test func `A missing file in a list fails, and the others are processed`() throws {
    try scratch.write(photo, to: "a.jpg")
    let list = "\(scratch.path("none.jpg"))\n\(scratch.path("a.jpg"))\n"
    let result = try upright(
      ["normalize", "--files-from", "-", "--format", "ndjson"],
      input: Array(list.utf8)
    )
    #expect(result.status == 2)
    #expect(try result.json().map(\.status) == ["failed", "normalized"])
  }

  @Test func `Globs include and exclude names and paths`() throws {
    for name in ["2023/a.jpg", "2024/b.jpg", "2024/c.JPG", "2024/small/d.jpg", "e.jpg"] {
      try scratch.write(photo, to: "tree/" + name)
    }
    let tree = scratch.path("tree")
    #expect(try audited([tree, "--include", "*.JPG"]) == ["tree/2024/c.JPG"])
    #expect(
      try audited([tree, "--exclude", "2024"]) == ["tree/2023/a.jpg", "tree/e.jpg"]
    )
    #expect(
      try audited([tree, "--include", "2024/*", "--exclude", "small"]) == [
        "tree/2024/b.jpg", "tree/2024/c.JPG",
      ]
    )
  }

  @Test func `Hidden directories and links are entered on request`() throws {
    try scratch.write(photo, to: "tree/a.jpg")
    try scratch.write(photo, to: "tree/.hidden/b.jpg")
    try scratch.write(photo, to: "elsewhere/c.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("tree/link"),
      withDestinationPath: scratch.path("elsewhere")
    )
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("elsewhere/loop"),
      withDestinationPath: scratch.path("tree")
    )
    let tree = scratch.path("tree")
    #expect(try audited([tree]) == ["tree/a.jpg"])
    #expect(try audited([tree, "--hidden"]) == ["tree/.hidden/b.jpg", "tree/a.jpg"])
    #expect(try audited([tree, "--follow", "all"]) == ["tree/a.jpg", "tree/link/c.jpg"])
  }

  @Test func `Directories of systems are entered on request, and named in the summary`() throws {
    for name in ["a.jpg", "#recycle/b.jpg", "@eaDir/a.jpg/SYNOPHOTO_THUMB_XL.jpg"] {
      try scratch.write(photo, to: "tree/" + name)
    }
    let tree = scratch.path("tree")
    #expect(try audited([tree]) == ["tree/a.jpg"])
    #expect(try audited([tree, "--system-folders"]).count == 3)
    #expect(try audited([scratch.path("tree/#recycle")]) == ["tree/#recycle/b.jpg"])
    let run = try upright(["normalize", "-r", tree])
    #expect(run.text.contains("2 ignored (2 system folders #recycle, @eaDir: --system-folders)"))
    #expect(try scratch.read("tree/#recycle/b.jpg") == photo)
  }

  @Test func `The parts of a shard cover each file once`() throws {
    let names = (0..<40).map { "tree/\($0).jpg" }
    for name in names { try scratch.write(photo, to: name) }
    var found: [String] = []
    for part in 0..<3 {
      let share = try audited([scratch.path("tree"), "--shard", "\(part)/3"])
      #expect(share.count > 3)
      found += share
    }
    #expect(found.sorted() == names.sorted())
    #expect(try upright(["audit", scratch.path("tree"), "--shard", "3/3"]).status == 64)
  }

  @Test func `The reports are in the order of the files with any number of jobs`() throws {
    for number in 0..<50 {
      let name = number.isMultiple(of: 7) ? "unaligned-6.jpg" : "aligned-6.jpg"
      try scratch.write(try Fixture.bytes("orientation/" + name), to: "tree/\(number).jpg")
    }
    let arguments = ["normalize", "-r", "--dry-run", "--format", "ndjson", scratch.path("tree")]
    let one = try upright(arguments + ["-j1"])
    let many = try upright(arguments + ["--jobs", "7"])
    #expect(one.output == many.output)
    #expect(one.lines.count == 50)
  }
}
