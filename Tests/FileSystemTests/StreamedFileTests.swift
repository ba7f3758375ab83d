import FileSystem
import SystemPackage
import Testing

@Suite struct StreamedFileTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func write(_ path: FilePath, _ pieces: [String], finishes: Bool = true) throws {
    var file = try StreamedFile(path, replacing: Array("mark".utf8))
    for piece in pieces { try file.append(Array(piece.utf8)) }
    if finishes { try file.finish() }
  }

  @Test func `a file has its name when it is complete`() throws {
    let path = sandbox.path.appending("page")
    var file = try StreamedFile(path, replacing: [])
    try file.append([0x61])
    #expect(try sandbox.names().contains("page") == false)
    try file.append([0x62])
    try file.finish()
    #expect(try sandbox.names() == ["page"])
    #expect(try sandbox.content(path) == "ab")
  }

  @Test func `an unfinished file is removed`() throws {
    try write(sandbox.path.appending("page"), ["mark"], finishes: false)
    #expect(try sandbox.names().isEmpty)
    let former = try sandbox.file("page", "mark 1")
    try write(former, ["mark 2"], finishes: false)
    #expect(try sandbox.content(former) == "mark 1")
    #expect(try sandbox.names() == ["page"])
  }

  @Test func `a file of the same kind is replaced, also through a link`() throws {
    let former = try sandbox.file("page", "mark 1")
    try write(former, ["mark 2"])
    #expect(try sandbox.content(former) == "mark 2")
    try write(try sandbox.symbolicLink("link", to: "page"), ["mark 3"])
    #expect(try sandbox.content(former) == "mark 3")
    let empty = try sandbox.file("empty", "")
    try write(empty, ["mark"])
    #expect(try sandbox.content(empty) == "mark")
  }

  @Test(arguments: ["a photo", "mar"])
  func `any other file is not replaced`(content: String) throws {
    let other = try sandbox.file("page", content)
    #expect(problem { try write(other, ["mark"]) } == .exists)
    #expect(try sandbox.content(other) == content)
    #expect(try sandbox.names() == ["page"])
  }

  @Test func `a file that appears meanwhile is not replaced`() throws {
    let path = sandbox.path.appending("page")
    var file = try StreamedFile(path, replacing: Array("mark".utf8))
    try file.append(Array("mark".utf8))
    try sandbox.file("page", "theirs")
    #expect(throws: FileError.self) { try file.finish() }
    #expect(try sandbox.content(path) == "theirs")
  }

  @Test(arguments: ["/proc/page", "missing/page"])
  func `a file that cannot be created leaves nothing open`(name: String) throws {
    let path = sandbox.path.pushing(FilePath(name))
    let before = try Syscalls.list("/proc/self/fd").count
    for _ in 0..<200 { #expect(throws: FileError.self) { try write(path, ["mark"]) } }
    // Other tests have files open at the same time.
    #expect(try Syscalls.list("/proc/self/fd").count < before + 100)
  }

  @Test func `a directory is refused`() throws {
    let folder = try sandbox.directory("folder")
    #expect(problem { try write(folder, ["mark"]) } == .isDirectory)
    #expect(problem { try write(folder.appending("missing/page"), ["mark"]) } == .notFound)
  }
}
