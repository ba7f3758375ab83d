import FaultInjection
import FileSystem
import SystemPackage
import Testing

@Suite struct AtomicReplacementTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  @Test func `the content is replaced, mode and times are kept`() throws {
    let path = try sandbox.file("a.jpg", mode: 0o4751)
    let times = Timestamp(seconds: -86_400, nanoseconds: 123_456_789)
    let read = Timestamp(seconds: 1_000_000_000, nanoseconds: 987_654_321)
    try sandbox.setTimes(path, access: read, modification: times)
    let before = try sandbox.status(path)
    #expect(try replace(path, content: "newer").isEmpty)
    let after = try sandbox.status(path)
    #expect(try sandbox.names() == ["a.jpg"])
    #expect(after.modificationTime == times)
    #expect(after.accessTime == read)
    #expect(after.permissions == 0o4751)
    #expect(after.user == before.user && after.group == before.group)
    #expect(after.inode != before.inode)
    #expect(try sandbox.content(path) == "newer")
  }

  @Test(arguments: [0o444, 0o600, 0o664, 0o777] as [UInt16])
  func `every mode is kept`(mode: UInt16) throws {
    let path = try sandbox.file("a.jpg", mode: mode)
    _ = try replace(path)
    #expect(UInt16(try sandbox.status(path).permissions) == mode)
  }

  @Test func `a large content is written whole`() throws {
    let path = try sandbox.file("a.jpg")
    let content = String(repeating: "0123456789", count: 500_000)
    _ = try replace(path, content: content)
    #expect(try sandbox.content(path) == content)
  }

  @Test func `a symbolic link stays and its target is replaced`() throws {
    let target = try sandbox.file("originals/a.jpg")
    let link = try sandbox.symbolicLink("link.jpg", to: "originals/a.jpg")
    _ = try replace(link)
    #expect(try sandbox.status(link).kind == .symbolicLink)
    #expect(try sandbox.status(target).kind == .regular)
    #expect(try sandbox.content(target) == "new")
    #expect(try sandbox.names() == ["link.jpg", "originals"])
    #expect(try sandbox.names(in: sandbox.path.appending("originals")) == ["a.jpg"])
  }

  @Test func `a file with two names is refused`() throws {
    let path = try sandbox.file("a.jpg")
    let other = try sandbox.hardLink("b.jpg", to: path)
    #expect(problem { _ = try replace(path) } == .hardLinked)
    #expect(try sandbox.content(path) == "old" && sandbox.content(other) == "old")
  }

  @Test func `breaking hard links replaces one name and keeps the other`() throws {
    let path = try sandbox.file("a.jpg")
    let other = try sandbox.hardLink("b.jpg", to: path)
    _ = try replace(path, with: AtomicReplacement(hardLinks: .break))
    #expect(try sandbox.content(path) == "new")
    #expect(try sandbox.content(other) == "old")
    #expect(try sandbox.status(other).linkCount == 1)
  }

  @Test func `a name that is not UTF-8 is replaced under the same bytes`() throws {
    let name = try #require(FilePath.Component(bytes: [0xE9, 0x74, 0xE9, 0x2E, 0x6A, 0x70, 0x67]))
    let path = try sandbox.file(FilePath(root: nil, [name]))
    _ = try replace(path)
    #expect(try sandbox.content(path) == "new")
    #expect(try sandbox.names().count == 1)
  }

  @Test(arguments: ["", "x"])
  func `a long name is cut between two characters`(beginning: String) throws {
    let name = beginning + String(repeating: "é", count: 120)
    let temporary = TemporaryName.random(for: try #require(FilePath.Component(name)))
    // Bytes that are no character are shown as this one.
    #expect(!temporary.string.contains("\u{FFFD}") && temporary.string.utf8.count > 250)
  }

  @Test func `a name as long as names can be is replaced`() throws {
    let name = String(repeating: "é", count: 125) + "a.jpg"
    let path = try sandbox.file(FilePath(name))
    _ = try replace(path)
    #expect(try sandbox.names() == [name])
    #expect(try sandbox.content(path) == "new")
  }

  // MARK: Changes of others

  enum Change: CaseIterable {
    case rewritten, replaced, removed, modeChanged, named, linkMoved
  }

  @Test(arguments: Change.allCases, ["read", "fsync"])
  func `a file that changed after it was read is skipped`(
    change: Change,
    moment: String
  ) throws {
    let path = try sandbox.file("a.jpg")
    let other = try sandbox.file("b.jpg", "other")
    let link = try sandbox.symbolicLink("link.jpg", to: "a.jpg")
    let identity = try readFile(link).identity
    @Sendable func makeChange() throws {
      switch change {
      case .rewritten: try sandbox.write("theirs", to: path)
      case .replaced: try sandbox.move(other, to: path)
      case .removed: try sandbox.remove(path)
      case .modeChanged: try sandbox.chmod(path, 0o600)
      case .named: _ = try sandbox.hardLink("c.jpg", to: path)
      case .linkMoved:
        try sandbox.move(try sandbox.symbolicLink("link2", to: "b.jpg"), to: link)
      }
    }
    // A link that moves after it was resolved does not matter.
    if change == .linkMoved, moment == "fsync" { return }
    if moment == "read" { try makeChange() }
    let problem = problem {
      // The first fsync is the new file's, just before the last look at the original.
      try probing(
        { call in
          guard call == "fsync", moment == "fsync" else { return nil }
          return (try? makeChange()) == nil
            ? .ioError : nil
        },
        { _ = try AtomicReplacement().replace(link, readAs: identity, with: [1]) }
      )
    }
    #expect(problem == .changed)
    #expect(try sandbox.names().allSatisfy { !$0.hasSuffix(".tmp") })
    switch change {
    case .rewritten: #expect(try sandbox.content(path) == "theirs")
    case .replaced: #expect(try sandbox.content(path) == "other")
    case .removed: #expect(throws: Errno.self) { try sandbox.status(path) }
    case .modeChanged: #expect(try sandbox.status(path).permissions == 0o600)
    // Its other name would keep the old content.
    case .named: #expect(try sandbox.content(path) == "old")
    case .linkMoved: #expect(try sandbox.content(other) == "other")
    }
  }

  // MARK: Failures

  @Test(arguments: [false, true], [nil, ".orig"])
  func `whichever system call fails, the file is the old one or the new one`(
    losesAnswer: Bool,
    suffix: String?
  ) throws {
    let replacement = AtomicReplacement(backupSuffix: suffix.map { Array($0.utf8) })
    var number = 0
    while true {
      let directory = try sandbox.directory(FilePath("\(number)"))
      let path = try sandbox.file(FilePath("\(number)/a.jpg"), mode: 0o640)
      try? sandbox.setAttribute("user.note", of: path, to: [1, 2])
      let identity = try readFile(path).identity
      var failure: FileError?
      let failed = failing(call: number, with: .ioError, losesAnswer: losesAnswer) {
        do throws(FileError) {
          _ = try replacement.replace(path, readAs: identity, with: Array("new".utf8))
        } catch {
          failure = error
        }
      }
      guard failed else { break }
      let content = try sandbox.content(path)
      let isNew = failure.map { $0.problem == .unconfirmed } ?? true
      #expect(content == (isNew ? "new" : "old"), "call \(number)")
      if let failure { #expect(failure.errno == .ioError) }
      var names = try sandbox.names(in: directory)
      // The answer that got lost was that a temporary file is there.
      if losesAnswer { names.removeAll { $0.hasSuffix(".tmp") } }
      #expect(names == ["a.jpg"] + (isNew && suffix != nil ? ["a.jpg.orig"] : []), "call \(number)")
      #expect(try sandbox.status(path).permissions == 0o640)
      number += 1
    }
    #expect(number > 10)
  }

  @Test func `the backup of a file that another program replaced meanwhile is kept`() throws {
    let path = try sandbox.file("a.jpg")
    let other = try sandbox.file("b.jpg", "other")
    let identity = try readFile(path).identity
    let replacement = AtomicReplacement(backupSuffix: Array(".orig".utf8))
    let problem = problem {
      try probing(
        { call in
          guard call == "exchange" else { return nil }
          try? sandbox.move(other, to: path)
          return .ioError
        },
        { _ = try replacement.replace(path, readAs: identity, with: [1]) }
      )
    }
    #expect(problem != nil)
    #expect(try sandbox.content(path) == "other")
    #expect(try sandbox.content(sandbox.path.appending("a.jpg.orig")) == "old")
  }

  @Test func `an unconfirmed directory is said to be in place`() throws {
    let path = try sandbox.file("a.jpg")
    let identity = try readFile(path).identity
    let syncs = CallCounter()
    let problem = problem {
      try probing(
        { call in call == "fsync" && syncs.next() == 1 ? .ioError : nil },
        { _ = try AtomicReplacement().replace(path, readAs: identity, with: [0x6E]) }
      )
    }
    #expect(problem == .unconfirmed)
    #expect(try sandbox.content(path) == "n")
  }

  @Test func `a file size limit leaves the original and no other file`() async {
    await #expect(processExitsWith: .success) {
      Syscalls.reportWriteSignalsAsErrors()
      let sandbox = try Sandbox()
      let path = try sandbox.file("a.jpg")
      let identity = try readFile(path).identity
      try limitFileSize(to: 100_000)
      let content = [UInt8](repeating: 7, count: 200_000)
      do throws(FileError) {
        _ = try AtomicReplacement().replace(path, readAs: identity, with: content)
        Issue.record("the limit was not felt")
      } catch {
        #expect(error.problem == .tooLarge)
      }
      #expect(try sandbox.content(path) == "old")
      #expect(try sandbox.names() == ["a.jpg"])
    }
  }

  @Test(
    arguments: [
      "open 0", "open 2", "write 0", "fchmod 0", "fsync 0", "exchange 0", "unlink 0", "fsync 1",
    ])
  func `a process killed at any time leaves the file whole`(moment: String) async throws {
    let path = try sandbox.file("a.jpg")
    await #expect(processExitsWith: .signal(9)) {
      [name = path.string as String, moment = moment as String] in
      let path = FilePath(name)
      let identity = try readFile(path).identity
      let calls = CallCounter()
      try probing(
        { call in
          if moment.hasPrefix(call), moment == "\(call) \(calls.next())" { killProcess() }
          return nil
        },
        {
          _ = try AtomicReplacement().replace(path, readAs: identity, with: Array("new".utf8))
        }
      )
    }
    let isDone = ["unlink 0", "fsync 1"].contains(moment)
    #expect(try sandbox.content(path) == (isDone ? "new" : "old"))
    for name in try sandbox.names() where name != "a.jpg" {
      let component = try #require(FilePath.Component(name))
      #expect(TemporaryName.matches(component))
    }
  }

  // MARK: Helpers

  private func replace(
    _ path: FilePath,
    with replacement: AtomicReplacement = AtomicReplacement(),
    content: String = "new"
  ) throws -> [LostAttribute] {
    let identity = try readFile(path).identity
    return try replacement.replace(path, readAs: identity, with: Array(content.utf8))
  }
}
