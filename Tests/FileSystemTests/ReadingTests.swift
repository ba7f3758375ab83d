import FaultInjection
import FileSystem
import SystemPackage
import Testing

@Suite struct ReadingTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  @Test func `a file is read whole and identified`() throws {
    let path = try sandbox.file("a.jpg", "content", mode: 0o640)
    let (bytes, identity) = try readFile(path)
    #expect(bytes == Array("content".utf8))
    #expect(identity.size == 7)
    #expect(identity.permissions == 0o640)
    #expect(identity.kind == .regular)
    #expect(identity.linkCount == 1)
    #expect(identity.key == (try sandbox.status(path)).key)
    #expect(try readFile(sandbox.file("empty.jpg", "")).bytes.isEmpty)
  }

  @Test func `a link to a file is followed`() throws {
    let file = try sandbox.file("a.jpg", "content")
    let link = try sandbox.symbolicLink("link.jpg", to: "a.jpg")
    #expect(try readFile(link).identity.key == sandbox.status(file).key)
  }

  @Test func `a file that is not regular is refused with its kind`() throws {
    #expect(problem(reading: sandbox.path) == .isDirectory)
    #expect(problem(reading: try sandbox.fifo("pipe.jpg")) == .isFIFO)
    #expect(problem(reading: "/dev/null") == .isDevice)
    #expect(problem(reading: sandbox.path.appending("none.jpg")) == .notFound)
    #expect(problem(reading: try sandbox.symbolicLink("broken", to: "none")) == .danglingLink)
    #expect(problem(reading: try sandbox.symbolicLink("loop", to: "loop")) == .linkLoop)
    #expect(problem(reading: try sandbox.file("f").appending("a.jpg")) == .notDirectory)
  }

  @Test func `a file above the limit is refused`() throws {
    let path = try sandbox.file("a.jpg", "content")
    #expect(try readFile(path, limit: 7).bytes.count == 7)
    #expect(throws: FileError.self) { try readFile(path, limit: 6) }
  }

  @Test func `a file that changes while it is read is an error`() throws {
    let path = try sandbox.file("a.jpg", "content")
    let reader = try FileReader(path)
    try sandbox.write("longer content", to: path)
    do {
      _ = try reader.readAll()
      Issue.record("the change went unnoticed")
    } catch {
      #expect(error.problem == .changed)
    }
  }

  @Test func `a file that became shorter is an error, whichever part of it is read`() throws {
    let path = try sandbox.file("a.jpg", "content")
    let reader = try FileReader(path)
    try sandbox.write("cont", to: path)
    #expect(try reader.read(at: 0, count: 4) == Array("cont".utf8))
    for (offset, count) in [(0, 5), (0, 7), (4, 1), (6, 100)] {
      do {
        _ = try reader.read(at: offset, count: count)
        Issue.record("the change went unnoticed")
      } catch {
        #expect(error.problem == .changed)
      }
    }
    #expect(try reader.read(at: 7, count: 1).isEmpty)
  }

  @Test func `a reader reads parts, and nothing beyond the end`() throws {
    let reader = try FileReader(try sandbox.file("a.jpg", "0123456789"))
    #expect(try reader.read(at: 2, count: 3) == Array("234".utf8))
    #expect(try reader.read(at: 8, count: .max) == Array("89".utf8))
    #expect(try reader.read(at: 10, count: 1).isEmpty)
    #expect(try reader.read(at: .max, count: .max).isEmpty)
  }

  @Test func `a name that is not UTF-8 is read by its bytes`() throws {
    let name = try #require(FilePath.Component(bytes: [0x61, 0xFF, 0xFE, 0x2E, 0x6A, 0x70, 0x67]))
    let path = try sandbox.file(FilePath(root: nil, [name]), "content")
    #expect(try sandbox.content(path) == "content")
    #expect(path.lastComponent?.bytes == name.bytes)
    #expect(path.bytes.suffix(name.bytes.count).elementsEqual(name.bytes))
  }

  @Test func `bytes that are not a valid name are refused`() {
    #expect(FilePath.Component(bytes: []) == nil)
    #expect(FilePath.Component(bytes: Array("a/b".utf8)) == nil)
    #expect(FilePath.Component(bytes: [0x61, 0, 0x62]) == nil)
  }

  @Test func `an interrupted call is repeated`() throws {
    let path = try sandbox.file("a.jpg", "content")
    let interruptions = CallCounter()
    let bytes = try probing(
      { call in call == "pread" && interruptions.next() < 3 ? .interrupted : nil },
      { try readFile(path).bytes }
    )
    #expect(bytes == Array("content".utf8))
  }

  private func problem(reading path: FilePath) -> FileError.Problem? {
    do {
      _ = try readFile(path)
      return nil
    } catch {
      return error.problem
    }
  }
}
