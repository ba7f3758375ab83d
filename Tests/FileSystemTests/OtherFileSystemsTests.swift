import FaultInjection
import FileSystem
import SystemPackage
import Testing

/// File systems that have fewer calls, or whose files have other numbers and times a while later.
struct OtherFileSystemsTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  /// The errors of a memory card for calls that it does not have.
  private static func ofCard(_ call: String) -> Errno? {
    switch call {
    case "exchange", "renameExclusively": .invalidArgument
    case "link": .notPermitted
    default: nil
    }
  }

  private func create(_ output: FilePath) throws {
    try AtomicCreation().create(output, like: nil, with: Array("new".utf8))
  }

  @Test func `without exclusive renames and links an output is created`() throws {
    let output = sandbox.path.appending("out.jpg")
    try probing(Self.ofCard) { try create(output) }
    #expect(try sandbox.content(output) == "new")
    #expect(try sandbox.names() == ["out.jpg"])
  }

  @Test func `there an output that appears while it is written is not overwritten`() throws {
    let output = sandbox.path.appending("out.jpg")
    let problem = problem {
      try probing(
        {
          if $0 == "link" { _ = try? sandbox.file("out.jpg", "theirs") }
          return Self.ofCard($0)
        },
        { try create(output) }
      )
    }
    #expect(problem == .exists)
    #expect(try sandbox.content(output) == "theirs")
    #expect(try sandbox.names() == ["out.jpg"])
  }

  @Test func `what another program writes into the reserved file is kept`() throws {
    let output = sandbox.path.appending("out.jpg")
    let (renames, looks) = (CallCounter(), CallCounter())
    let problem = problem {
      try probing(
        {
          if $0 == "rename" { _ = renames.next() }
          // The first look after the finished file got a name of its own is at the reservation.
          if $0 == "fstatat", renames.value == 1, looks.next() == 0 {
            try? sandbox.write("theirs", to: output)
          }
          return Self.ofCard($0)
        },
        { try create(output) }
      )
    }
    #expect(problem == .exists && renames.value == 1)
    #expect(try sandbox.content(output) == "theirs")
    #expect(try sandbox.names() == ["out.jpg"])
  }

  @Test func `a reservation of a killed run is removed, and no other empty file`() throws {
    let output = try sandbox.file("out.jpg", "")
    let other = try sandbox.file("other.jpg", "")
    try sandbox.file(".out.jpg.upright-abc123.new", "new")
    #expect(problem { try create(other) } == .exists)
    try create(output)
    #expect(try sandbox.content(output) == "new")
    #expect(try sandbox.names() == ["other.jpg", "out.jpg"])
    // One that has its content is no reservation any more.
    let finished = try sandbox.file(".out.jpg.upright-abc124.new", "new")
    #expect(removeAbandonedFile(finished))
    let long = String(repeating: "n", count: 251) + ".jpg"
    try sandbox.file(FilePath(long), "")
    let cut = "." + long.prefix(235) + ".upright-abc125.new"
    #expect(removeAbandonedFile(try sandbox.file(FilePath(cut), "new")))
    #expect(try sandbox.names() == ["other.jpg", "out.jpg"])
  }

  @Test func `where there are no links, a backup is a copy`() throws {
    let path = try sandbox.file("a.jpg")
    let (bytes, identity) = try readFile(path)
    let replacement = AtomicReplacement(backupSuffix: Array(".orig".utf8))
    try probing(Self.ofCard) {
      _ = try replacement.replace(path, readAs: identity, bytes, with: Array("new".utf8))
    }
    #expect(try sandbox.content(path) == "new")
    #expect(try sandbox.content(sandbox.path.appending("a.jpg.orig")) == "old")
    #expect(try sandbox.names() == ["a.jpg", "a.jpg.orig"])
    // As if the run had been killed between the two.
    try sandbox.write("old", to: path)
    let (again, version) = try readFile(path)
    try probing(Self.ofCard) {
      _ = try replacement.replace(path, readAs: version, again, with: Array("new".utf8))
    }
    #expect(try sandbox.content(path) == "new")
    #expect(try sandbox.names() == ["a.jpg", "a.jpg.orig"])
  }

  @Test func `a file whose times settle later is the one that was read`() throws {
    let path = try sandbox.file("a.jpg")
    let (bytes, identity) = try readFile(path)
    let time = Timestamp(seconds: 1_000_000_000, nanoseconds: 5)
    try sandbox.setTimes(path, access: time, modification: time)
    let new = Array("newer".utf8)
    #expect(
      problem { _ = try AtomicReplacement().replace(path, readAs: identity, with: new) } == .changed
    )
    let counter = CallCounter()
    let later = Timestamp(seconds: 1_000_000_100, nanoseconds: 5)
    try probing(
      {
        // Once more at the last moment.
        if $0 == "fsync", counter.next() == 0 {
          try? sandbox.setTimes(path, access: later, modification: later)
          try? sandbox.chmod(path, 0o600)
        }
        return nil
      },
      { _ = try AtomicReplacement().replace(path, readAs: identity, bytes, with: new) }
    )
    #expect(try sandbox.content(path) == "newer")
    let status = try sandbox.status(path)
    #expect(status.modificationTime == later && status.permissions == 0o600)
    #expect(try sandbox.names() == ["a.jpg"])
  }

  @Test func `a file with other content is not`() throws {
    let path = try sandbox.file("a.jpg")
    let (bytes, identity) = try readFile(path)
    try sandbox.write("odd", to: path)
    let problem = problem {
      _ = try AtomicReplacement().replace(path, readAs: identity, bytes, with: Array("new".utf8))
    }
    #expect(problem == .changed)
    #expect(try sandbox.content(path) == "odd")
  }

  @Test(arguments: [true, false])
  func `without exchange a change that keeps size and time is seen`(hasLinks: Bool) throws {
    let path = try sandbox.file("a.jpg")
    let (bytes, identity) = try readFile(path)
    let renames = CallCounter()
    let problem = problem {
      try probing(
        {
          if $0 == "rename", renames.next() == 0 {
            try? sandbox.write("odd", to: path)
            let time = identity.modificationTime
            try? sandbox.setTimes(path, access: time, modification: time)
          }
          return hasLinks && $0 == "link" ? nil : Self.ofCard($0)
        },
        {
          let new = Array("new".utf8)
          _ = try AtomicReplacement().replace(path, readAs: identity, bytes, with: new)
        }
      )
    }
    #expect(problem == .changed)
    #expect(try sandbox.content(path) == "odd")
    #expect(try sandbox.names() == ["a.jpg"])
  }

  @Test func `a file is read although its times change meanwhile`() throws {
    let path = try sandbox.file("a.jpg")
    let calls = CallCounter()
    let time = Timestamp(seconds: 1_000_000_000, nanoseconds: 5)
    let (bytes, identity) = try probing(
      {
        if $0 == "pread", calls.next() == 0 {
          try? sandbox.setTimes(path, access: time, modification: time)
        }
        return nil
      },
      { try readFile(path) }
    )
    #expect(bytes == Array("old".utf8) && identity.modificationTime == time)
  }

  @Test func `files whose names differ in case are two where both are listed`() throws {
    let (one, other) = (try sandbox.file("DSC_1.JPG"), try sandbox.file("dsc_1.jpg"))
    let time = Timestamp(seconds: 1_000_000_000, nanoseconds: 5)
    for path in [one, other] { try sandbox.setTimes(path, access: time, modification: time) }
    #expect(try one.isSameFile(as: one))
    #expect(try !one.isSameFile(as: other))
    #expect(try !one.isSameFile(asOneOf: [other]))
    #expect(one.asListed == one && other.asListed == other)
    #expect(one.asListedThroughout == one)
  }

  @Test func `files of one name are two where their folders differ in case`() throws {
    let files = [try sandbox.file("X/a.jpg"), try sandbox.file("x/a.jpg")]
    #expect(try !files[0].isSameFile(as: files[1]))
    let found = Walk(roots: files.map { $0.removingLastComponent() }, recursive: true).compactMap {
      item in
      if case .file(let file) = item { file.path } else { nil }
    }
    #expect(found == files)
  }

  @Test func `a device that is gone has an error of its own`() {
    let problems = [Errno.socketNotConnected, .operationNotSupportedByDevice, .hostIsDown].map {
      FileError("a.jpg", .read, system: $0).identifier
    }
    #expect(problems == ["device-gone", "device-gone", "device-gone"])
  }
}
