import FaultInjection
import FileSystem
import SystemPackage
import Testing

@Suite struct AtomicCreationTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  @Test func `an output has its source's mode and times`() throws {
    let source = try sandbox.file("a.jpg", mode: 0o2640)
    let time = Timestamp(seconds: 1_000_000_000, nanoseconds: 5)
    try sandbox.setTimes(source, access: time, modification: time)
    let output = sandbox.path.appending("out.jpg")
    try create(output, like: source)
    let status = try sandbox.status(output)
    #expect(status.permissions == 0o640)
    #expect(status.modificationTime == time && status.accessTime == time)
    #expect(try sandbox.content(output) == "new")
    #expect(try sandbox.names() == ["a.jpg", "out.jpg"])
    #expect(try sandbox.content(source) == "old")
  }

  @Test func `touching gives the present time`() throws {
    let source = try sandbox.file("a.jpg")
    let time = Timestamp(seconds: 1_000_000_000, nanoseconds: 5)
    try sandbox.setTimes(source, access: time, modification: time)
    let output = sandbox.path.appending("out.jpg")
    try create(output, like: source, AtomicCreation(times: .now))
    #expect(try sandbox.status(output).modificationTime.seconds > 1_600_000_000)
  }

  @Test func `an output from a stream has the mode that new files have`() throws {
    let reference = sandbox.path.appending("reference")
    try FileDescriptor.open(
      reference,
      .writeOnly,
      options: .create,
      permissions: FilePermissions(rawValue: 0o666)
    ).close()
    let output = sandbox.path.appending("out.jpg")
    try create(output, like: nil)
    #expect(try sandbox.status(output).permissions == sandbox.status(reference).permissions)
  }

  @Test func `an existing output is refused unless overwriting is allowed`() throws {
    let output = try sandbox.file("out.jpg")
    #expect(problem { try create(output, like: nil) } == .exists)
    #expect(try sandbox.content(output) == "old")
    try create(output, like: nil, AtomicCreation(overwrite: true))
    #expect(try sandbox.content(output) == "new")
    #expect(try sandbox.names() == ["out.jpg"])
  }

  @Test(arguments: ["rename", "link"])
  func `an output that appears while it is written is not overwritten`(way: String) throws {
    let output = sandbox.path.appending("out.jpg")
    let problem = problem {
      try probing(
        { call in
          if call == "fsync" { _ = try? sandbox.file("out.jpg", "theirs") }
          return call == "renameExclusively" && way == "link" ? .invalidArgument : nil
        },
        { try create(output, like: nil) }
      )
    }
    #expect(problem == .exists)
    #expect(try sandbox.content(output) == "theirs")
    #expect(try sandbox.names() == ["out.jpg"])
  }

  @Test func `a file system that cannot rename exclusively gets a link`() throws {
    let output = sandbox.path.appending("out.jpg")
    try failing("renameExclusively", with: .invalidArgument) { try create(output, like: nil) }
    #expect(try sandbox.content(output) == "new")
    #expect(try sandbox.status(output).linkCount == 1)
    #expect(try sandbox.names() == ["out.jpg"])
  }

  @Test func `missing directories are made on demand`() throws {
    let output = sandbox.path.pushing("x/y/out.jpg")
    #expect(problem { try create(output, like: nil) } == .notFound)
    #expect(try sandbox.names().isEmpty)
    try create(output, like: nil, AtomicCreation(createDirectories: true))
    #expect(try sandbox.content(output) == "new")
    let beside = sandbox.path.pushing("x/y/second.jpg")
    try create(beside, like: nil, AtomicCreation(createDirectories: true))
    #expect(try sandbox.content(beside) == "new")
  }

  @Test func `made directories are on the disk before their output has its name`() throws {
    let calls = CallCounter()
    try probing(
      { call in
        if call == "fsync" { _ = calls.next() }
        return call == "renameExclusively" && calls.value < 3 ? .ioError : nil
      },
      {
        let creation = AtomicCreation(createDirectories: true)
        try create(sandbox.path.pushing("x/y/out.jpg"), like: nil, creation)
      }
    )
    // Of both directories, and before and after the name is given.
    #expect(calls.value == 4)
  }

  @Test func `a file in place of a directory is an error`() throws {
    let output = try sandbox.file("x").appending("out.jpg")
    let creation = AtomicCreation(createDirectories: true)
    #expect(problem { try create(output, like: nil, creation) } == .notDirectory)
  }

  @Test func `a link as output is overwritten at its target`() throws {
    let target = try sandbox.file("real/out.jpg")
    let link = try sandbox.symbolicLink("out.jpg", to: "real/out.jpg")
    #expect(problem { try create(link, like: nil) } == .exists)
    try create(link, like: nil, AtomicCreation(overwrite: true))
    #expect(try sandbox.status(link).kind == .symbolicLink)
    #expect(try sandbox.content(target) == "new")
  }

  // Never with a real device: where the guard fails, root would replace it for the whole machine.
  @Test func `only a file is overwritten`() throws {
    let overwriting = AtomicCreation(overwrite: true)
    let source = try sandbox.file("a.jpg")
    let fifo = try sandbox.fifo("pipe")
    let broken = try sandbox.symbolicLink("broken", to: "none")
    let directory = try sandbox.directory("directory")
    #expect(problem { try create(fifo, like: source, overwriting) } == .isFIFO)
    #expect(problem { try create(broken, like: source, overwriting) } == .danglingLink)
    #expect(problem { try create(directory, like: source, overwriting) } == .isDirectory)
    #expect(problem { try create(sandbox.path, like: source) } == .isDirectory)
    let parent = directory.appending("..")
    #expect(problem { try create(parent, like: source, overwriting) } == .isDirectory)
  }

  @Test func `a check finds that the directory of an output is missing`() throws {
    let output = sandbox.path.appending("none/out.jpg")
    let below = try sandbox.file("x").appending("out.jpg")
    #expect(problem { try AtomicCreation().check(output, nil) } == .notFound)
    try AtomicCreation(createDirectories: true).check(output, nil)
    for creation in [AtomicCreation(), AtomicCreation(createDirectories: true)] {
      #expect(problem { try creation.check(below, nil) } == .notDirectory)
      try creation.check("out.jpg", nil)
    }
  }

  @Test func `an output that was created before is not overwritten on request`() throws {
    let output = try sandbox.file("out.jpg")
    let creation = AtomicCreation(overwrite: true, once: true)
    try create(output, like: nil, creation)
    try create(output, like: nil, creation)
    try sandbox.write("another", to: output)
    #expect(problem { try create(output, like: nil, creation) } == .outputCollision)
    #expect(try sandbox.content(output) == "another")
    #expect(try sandbox.names() == ["out.jpg"])
  }

  @Test func `an output that is the input is refused`() throws {
    let source = try sandbox.file("a.jpg")
    let link = try sandbox.symbolicLink("link.jpg", to: "a.jpg")
    for creation in [AtomicCreation(), AtomicCreation(overwrite: true)] {
      #expect(problem { try create(source, like: source, creation) } == .outputIsInput)
      #expect(problem { try create(link, like: source, creation) } == .outputIsInput)
    }
    #expect(try sandbox.content(source) == "old")
  }

  @Test func `an error of the look at what is there is not taken for nothing being there`() throws {
    let source = try sandbox.file("a.jpg")
    let output = try sandbox.file("out.jpg")
    let overwriting = AtomicCreation(overwrite: true)
    let problem = problem {
      let rights = try FileReader(source).rights()
      try failing("fstatat", with: .ioError) {
        _ = try overwriting.create(output, like: rights, with: [1])
      }
    }
    #expect(problem == .inputOutput)
    #expect(try sandbox.content(output) == "old")
  }

  @Test(arguments: [false, true], [false, true])
  func `whichever system call fails, the output is whole or what it was`(
    overwrite: Bool,
    losesAnswer: Bool
  ) throws {
    let source = try sandbox.file("a.jpg")
    let rights = try FileReader(source).rights()
    var number = 0
    while true {
      let directory = try sandbox.directory(FilePath("\(number)"))
      let output = directory.appending("out.jpg")
      if overwrite { try sandbox.file(FilePath("\(number)/out.jpg"), "old") }
      let creation = AtomicCreation(overwrite: overwrite, createDirectories: true)
      var failure: FileError?
      let failed = failing(call: number, with: .ioError, losesAnswer: losesAnswer) {
        do throws(FileError) {
          try creation.create(output, like: rights, with: Array("new".utf8))
        } catch {
          failure = error
        }
      }
      guard failed else { break }
      var names = try sandbox.names(in: directory)
      // The answer that got lost was that a temporary file is there.
      if losesAnswer { names.removeAll { $0.hasSuffix(".tmp") } }
      if failure == nil || failure?.problem == .unconfirmed {
        #expect(try sandbox.content(output) == "new", "call \(number)")
      } else if overwrite {
        #expect(try sandbox.content(output) == "old", "call \(number)")
      } else {
        #expect(names.isEmpty, "call \(number)")
      }
      #expect(names.allSatisfy { $0 == "out.jpg" }, "call \(number)")
      number += 1
    }
    #expect(number > 6)
  }

  private func create(
    _ output: FilePath,
    like source: FilePath?,
    _ creation: AtomicCreation = AtomicCreation()
  ) throws {
    let rights = try source.map { try FileReader($0).rights() }
    try creation.create(output, like: rights, with: Array("new".utf8))
  }
}
