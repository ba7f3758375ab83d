import FileSystem
import SystemPackage
import Testing

@Suite struct PathListTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func paths(_ list: String, endingWith terminator: UInt8 = 10) throws -> [String] {
    let name = FilePath("list-\(list.utf8.count)")
    return try PathList(sandbox.file(name, list), endingWith: terminator).map { item in
      switch item {
      case .success(let path): path.string
      case .failure(let error): "\(error.identifier) \(error.path.string.prefix(6))"
      }
    }
  }

  @Test func `each line that is not empty is a path, and the last may lack its end`() throws {
    #expect(try paths("") == [])
    #expect(try paths("\n\n\n") == [])
    #expect(try paths("a\n\nb c\r\nd") == ["a", "b c", "d"])
    #expect(try paths("\r\na\r\n\r\n", endingWith: 10) == ["a"])
    #expect(try paths("ab\r\n", endingWith: 0) == ["ab\r\n"])
    #expect(PathList("no-such-list").map { try? $0.get() } == [nil])
  }

  @Test func `paths are put together from the pieces that are read`() throws {
    let names = (0..<40_000).map { "\($0)/" + String(repeating: "x", count: 1 + $0 % 50) }
    #expect(try paths(names.joined(separator: "\n")) == names)
  }

  @Test func `a line that is not a path is an error, and the others are read`() throws {
    let long = String(repeating: "y", count: PathList.maxPathLength)
    #expect(try paths("a\n\(long)\n\(long)y\nb") == ["a", long, "name-too-long yyyyyy", "b"])
    let odd = try paths("a\nb\0c\n\0\nd\n")
    #expect(odd.count == 4)
    #expect([odd[0], odd[1], odd[3]] == ["a", "not-path b…", "d"])
  }
}

@Suite struct LinesTests {
  @Test func `a file that ends before it did when it was opened is an error`() throws {
    let sandbox = try Sandbox()
    let file = try sandbox.file("a", String(repeating: "12345\n", count: 40_000))
    var lines = Lines(file, limit: 10).makeIterator()
    #expect(try lines.next()?.get().number == 1)
    try sandbox.write("12345\n", to: file)
    var last: Result<Lines.Line, FileError>?
    while let line = lines.next() { last = line }
    guard case .failure(let error)? = last else {
      Issue.record("the rest of the lines is missing without an error")
      return
    }
    #expect(error.problem == .changed)
  }

  @Test func `a line has its range in the file, and is truncated to the limit`() throws {
    let sandbox = try Sandbox()
    let lines = try Lines(sandbox.file("a", "12345\n\n\n67\n890"), limit: 3).map { try $0.get() }
    #expect(lines.map { String(decoding: $0.bytes, as: UTF8.self) } == ["123", "67", "890"])
    #expect(lines.map(\.range) == [0..<5, 8..<10, 11..<14])
    #expect(lines.map(\.number) == [1, 4, 5])
    #expect(lines.map(\.isWhole) == [false, true, true])
  }
}
