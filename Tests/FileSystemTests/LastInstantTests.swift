import FaultInjection
import FileSystem
import SystemPackage
import Testing

/// What others do to a file between the last look at it and the moment in which the new one takes its name.
struct LastInstantTests {
  /// What the file system can do.
  enum FileSystem: CaseIterable {
    case exchangesNames, hasHardLinks, hasNeither

    /// The call that gives the new file its name.
    var call: String { self == .exchangesNames ? "exchange" : "rename" }

    /// The error of a call that the file system does not support.
    func refusal(_ call: String) -> Errno? {
      switch call {
      case "exchange" where self != .exchangesNames: .invalidArgument
      case "link" where self == .hasNeither: .notPermitted
      default: nil
      }
    }
  }

  private let sandbox: Sandbox
  private let path: FilePath

  init() throws {
    sandbox = try Sandbox()
    path = try sandbox.file("a.jpg")
  }

  /// Replaces the file while `change` happens at the last instant.
  private func replace(
    on fileSystem: FileSystem,
    _ replacement: AtomicReplacement = AtomicReplacement(),
    _ change: @escaping @Sendable () throws -> Void
  ) throws {
    let identity = try readFile(path).identity
    let calls = CallCounter()
    try probing(
      { call in
        if let refusal = fileSystem.refusal(call) { return refusal }
        guard call == fileSystem.call, calls.next() == 0 else { return nil }
        return (try? change()) == nil ? .ioError : nil
      },
      { _ = try replacement.replace(path, readAs: identity, with: Array("new".utf8)) }
    )
  }

  @Test(arguments: FileSystem.allCases)
  func `without a change the file is replaced`(fileSystem: FileSystem) throws {
    try replace(on: fileSystem) {}
    #expect(try sandbox.content(path) == "new")
    #expect(try sandbox.names() == ["a.jpg"])
    #expect(try sandbox.status(path).linkCount == 1)
  }

  @Test(arguments: FileSystem.allCases, [nil, ".orig"])
  func `data appended at the last instant is not lost`(
    fileSystem: FileSystem,
    suffix: String?
  ) throws {
    let replacement = AtomicReplacement(backupSuffix: suffix.map { Array($0.utf8) })
    if suffix != nil, fileSystem == .hasNeither { return }
    let problem = problem {
      try replace(on: fileSystem, replacement) {
        try sandbox.write(" and more", to: path, options: .append)
      }
    }
    #expect(problem == .changed)
    #expect(try sandbox.content(path) == "old and more")
    #expect(try sandbox.names() == ["a.jpg"])
  }

  @Test(arguments: [FileSystem.exchangesNames, .hasHardLinks])
  func `a program that keeps the file open continues in the same file`(
    fileSystem: FileSystem
  ) throws {
    let writer = try FileDescriptor.open(path, .writeOnly, options: .append)
    let problem = problem {
      try replace(on: fileSystem) { _ = try writer.writeAll(" and more".utf8) }
    }
    #expect(problem == .changed)
    try writer.closeAfter { _ = try writer.writeAll(" and still more".utf8) }
    #expect(try sandbox.content(path) == "old and more and still more")
  }

  @Test(
    .enabled(if: hasLeases, "no leases here: keep TMPDIR on a local file system"),
    arguments: [FileSystem.exchangesNames, .hasHardLinks]
  )
  func `a file that another program has open for writing is not replaced`(
    fileSystem: FileSystem
  ) throws {
    let writer = try FileDescriptor.open(path, .writeOnly, options: .append)
    #expect(problem { try replace(on: fileSystem) {} } == .changed)
    try writer.closeAfter { _ = try writer.writeAll(" and more".utf8) }
    #expect(try sandbox.content(path) == "old and more")
    #expect(try sandbox.names() == ["a.jpg"])
    let reader = try FileDescriptor.open(path, .readOnly)
    try reader.closeAfter { try replace(on: fileSystem) {} }
    #expect(try sandbox.content(path) == "new")
  }

  @Test(.enabled(if: hasLeases, "no leases here: keep TMPDIR on a local file system"))
  func `a file that another process closes in a moment is replaced`() throws {
    let identity = try readFile(path).identity
    let writer = try FileDescriptor.open(path, .writeOnly)
    let calls = CallCounter()
    try probing(
      { call in
        if call == "lease", calls.next() == 1 { try? writer.close() }
        return nil
      },
      { _ = try AtomicReplacement().replace(path, readAs: identity, with: Array("new".utf8)) }
    )
    // More looks are needed if a process that another test starts has not closed its copy yet.
    #expect(calls.next() >= 2)
    #expect(try sandbox.content(path) == "new")
  }

  /// Whether the file system tells who has a file open for writing.
  private static let hasLeases: Bool = {
    guard let sandbox = try? Sandbox(), let path = try? sandbox.file("a"),
      let file = try? FileDescriptor.open(path, .readOnly)
    else { return false }
    return (try? file.closeAfter { try Syscalls.takeLease(file) }) != nil
  }()

  @Test func `a file that replaces the original at the last instant is kept`() throws {
    let other = try sandbox.file("b.jpg", "theirs")
    let problem = problem {
      try replace(on: .exchangesNames) { try sandbox.move(other, to: path) }
    }
    #expect(problem == .changed)
    #expect(try sandbox.content(path) == "theirs")
    #expect(try sandbox.names() == ["a.jpg"])
  }

  @Test func `a mode that is removed at the last instant is not restored`() throws {
    let problem = problem {
      try replace(on: .exchangesNames) { try sandbox.chmod(path, 0o600) }
    }
    #expect(problem == .changed)
    #expect(try sandbox.status(path).permissions == 0o600)
  }

  @Test func `a file that cannot be renamed keeps no second name`() throws {
    let identity = try readFile(path).identity
    let problem = problem {
      try probing(
        { FileSystem.hasHardLinks.refusal($0) ?? ($0 == "rename" ? .noSpace : nil) },
        { _ = try AtomicReplacement().replace(path, readAs: identity, with: Array("new".utf8)) }
      )
    }
    #expect(problem == .noSpace)
    #expect(try sandbox.content(path) == "old")
    #expect(try sandbox.names() == ["a.jpg"])
  }

  // MARK: Lost answers

  @Test(arguments: FileSystem.allCases, [nil, ".orig"])
  func `a rename that reports an error and was made is a success`(
    fileSystem: FileSystem,
    suffix: String?
  ) throws {
    if suffix != nil, fileSystem == .hasNeither { return }
    let replacement = AtomicReplacement(backupSuffix: suffix.map { Array($0.utf8) })
    let identity = try readFile(path).identity
    try probing(
      outcome: { call in
        if let refusal = fileSystem.refusal(call) { return .failure(refusal) }
        return call == fileSystem.call ? .lostAnswer(.ioError) : nil
      },
      { _ = try replacement.replace(path, readAs: identity, with: Array("new".utf8)) }
    )
    #expect(try sandbox.content(path) == "new")
    let names = ["a.jpg"] + (suffix == nil ? [] : ["a.jpg.orig"])
    #expect(try sandbox.names() == names)
    if suffix != nil { #expect(try sandbox.content(path.appendingSuffix(".orig")) == "old") }
  }

  @Test func `a backup is made although its link reports an error`() throws {
    let identity = try readFile(path).identity
    let replacement = AtomicReplacement(backupSuffix: Array(".orig".utf8))
    try probing(
      outcome: { $0 == "link" ? .lostAnswer(.ioError) : nil },
      { _ = try replacement.replace(path, readAs: identity, with: Array("new".utf8)) }
    )
    #expect(try sandbox.content(path) == "new")
    #expect(try sandbox.content(path.appendingSuffix(".orig")) == "old")
  }

  @Test(arguments: FileSystem.allCases)
  func `nothing is removed if it is unknown which file has the name`(fileSystem: FileSystem) throws
  {
    let identity = try readFile(path).identity
    let isBlind = CallCounter()
    let problem = problem {
      try probing(
        outcome: { call in
          if let refusal = fileSystem.refusal(call) { return .failure(refusal) }
          if call == fileSystem.call {
            _ = isBlind.next()
            return .lostAnswer(.ioError)
          }
          return call == "fstatat" && isBlind.value > 0 ? .failure(.ioError) : nil
        },
        { _ = try AtomicReplacement().replace(path, readAs: identity, with: Array("new".utf8)) }
      )
    }
    #expect(problem == .outcomeUnknown)
    #expect(try sandbox.content(path) == "new")
    // What can keep the original does.
    let others = try sandbox.names().filter { $0 != "a.jpg" }
    #expect(others.count == (fileSystem == .hasNeither ? 0 : 1))
    for name in others { #expect(try sandbox.content(sandbox.path.appending(name)) == "old") }
  }

  @Test(arguments: ["renameExclusively", "link", "rename"])
  func `an output that is made and reports an error is a success`(call: String) throws {
    let output = sandbox.path.appending("out.jpg")
    if call == "rename" { try sandbox.file("out.jpg") }
    let creation = AtomicCreation(overwrite: call == "rename")
    try probing(
      outcome: { name in
        if call == "link", name == "renameExclusively" { return .failure(.invalidArgument) }
        return name == call ? .lostAnswer(.fileExists) : nil
      },
      { _ = try creation.create(output, like: nil, with: Array("new".utf8)) }
    )
    #expect(try sandbox.content(output) == "new")
    #expect(try sandbox.names() == ["a.jpg", "out.jpg"])
  }

  @Test func `a directory that is made and reports an error is there`() throws {
    let output = sandbox.path.pushing("x/out.jpg")
    try probing(
      outcome: { $0 == "mkdir" ? .lostAnswer(.ioError) : nil },
      {
        let creation = AtomicCreation(createDirectories: true)
        _ = try creation.create(output, like: nil, with: Array("new".utf8))
      }
    )
    #expect(try sandbox.content(output) == "new")
  }
}

extension FilePath {
  /// The path with something after its name.
  fileprivate func appendingSuffix(_ suffix: String) -> FilePath { FilePath(string + suffix) }
}
