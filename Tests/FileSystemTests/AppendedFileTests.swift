import FaultInjection
import FileSystem
import Foundation
import SystemPackage
import Testing

struct AppendedFileTests {
  private let sandbox: Sandbox
  private let path: FilePath

  init() throws {
    sandbox = try Sandbox()
    path = sandbox.path.appending("log")
  }

  private func open() throws -> AppendedFile {
    try AppendedFile(path, beginning: Array("{".utf8))
  }

  private func append(_ text: String, to file: AppendedFile) throws {
    try file.append(Array("\(text)\n".utf8))
  }

  @Test func `lines are appended to what is there`() throws {
    try append("{1}", to: try open())
    let file = try open()
    try append("{2}", to: file)
    try append("{3}", to: file)
    #expect(try sandbox.content(path) == "{1}\n{2}\n{3}\n")
  }

  @Test func `an incomplete line is ended before the next one`() throws {
    try sandbox.file("log", "{1}\n{2")
    try append("{3}", to: try open())
    #expect(try sandbox.content(path) == "{1}\n{2\n{3}\n")
  }

  @Test func `a line after one that could not be written is separate`() throws {
    let file = try open()
    try append("{1}", to: file)
    #expect(throws: FileError.self) {
      try failing("write", with: .noSpace) { try append("{2}", to: file) }
    }
    try append("{3}", to: file)
    #expect(try sandbox.content(path).split(separator: "\n") == ["{1}", "{3}"])
  }

  @Test func `a line after the incomplete one of another process is separate`() throws {
    let file = try open()
    try append("{1}", to: file)
    try sandbox.write("{1}\n{2", to: path)
    try append("{3}", to: file)
    #expect(try sandbox.content(path) == "{1}\n{2\n{3}\n")
  }

  @Test func `a line that is not safe on the disk is an error`() throws {
    let file = try open()
    #expect(throws: FileError.self) {
      try failing("fsync", with: .ioError) { try append("{1}", to: file) }
    }
  }

  @Test func `a line is an error if the path is no longer that of the file`() throws {
    let file = try open()
    try append("{1}", to: file)
    try Syscalls.unlink(path)
    for content in [nil, "{0}\n"] {
      if let content { try sandbox.file("log", content) }
      do throws(FileError) {
        try file.append(Array("{2}\n".utf8))
        Issue.record("the line is lost")
      } catch { #expect(error.problem == .replaced) }
    }
    #expect(try sandbox.content(path) == "{0}\n")
  }

  @Test func `a program that replaces the file and a run exclude each other`() throws {
    var file: AppendedFile? = try open()
    let other = try FileDescriptor.open(path, .readOnly)
    defer { try? other.close() }
    #expect(flock(other.rawValue, LOCK_EX | LOCK_NB) == -1)
    let second = try open()
    try append("{1}", to: second)
    _ = file
    file = nil
    _ = consume second
    #expect(flock(other.rawValue, LOCK_EX | LOCK_NB) == 0)
    do throws(FileError) {
      _ = try AppendedFile(path, beginning: Array("{".utf8))
      Issue.record("the lock is ignored")
    } catch { #expect(error.problem == .locked) }
  }

  @Test func `a file of something else is refused and kept`() throws {
    try sandbox.file("log", "old")
    #expect(throws: FileError.self) { try open() }
    #expect(try sandbox.content(path) == "old")
  }

  @Test func `a directory is refused`() throws {
    try sandbox.directory("log")
    #expect(throws: FileError.self) { try open() }
  }

  @Test func `a first line that could not be written leaves an empty file, and no empty line`()
    throws
  {
    let file = try open()
    #expect(throws: FileError.self) {
      try failing("write", with: .noSpace) { try append("{1}", to: file) }
    }
    #expect(try sandbox.content(path) == "")
    try append("{2}", to: file)
    try append("{3}", to: try open())
    #expect(try sandbox.content(path) == "{2}\n{3}\n")
  }

  @Test func `empty lines are no trouble, wherever they are`() throws {
    try sandbox.file("log", "\n\n{1}\n\n")
    try append("{2}", to: try open())
    #expect(try sandbox.content(path) == "\n\n{1}\n\n{2}\n")
    try sandbox.write("\n\n", to: path)
    try append("{1}", to: try open())
    #expect(try sandbox.content(path) == "\n\n{1}\n")
    try sandbox.write("\n\nold", to: path)
    #expect(throws: FileError.self) { try open() }
  }

  @Test(arguments: ["", "he", "head", "\nhea", "\n"])
  func `an incomplete heading is completed`(present: String) throws {
    try sandbox.file("log", present)
    for line in ["{1}", "{2}"] {
      let file = try AppendedFile(path, beginning: Array("head\n".utf8), writesBeginning: true)
      try append(line, to: file)
    }
    let empty = present.prefix { $0 == "\n" }
    #expect(try sandbox.content(path) == empty + "head\n{1}\n{2}\n")
  }

  @Test func `an incomplete first line is ended`() throws {
    try sandbox.file("log", "{")
    try append("{1}", to: try open())
    #expect(try sandbox.content(path) == "{\n{1}\n")
  }
}
