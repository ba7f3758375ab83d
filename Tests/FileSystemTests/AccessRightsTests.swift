import FaultInjection
import FileSystem
import SystemPackage
import Testing

/// Who may read what is made of a private file.
struct AccessRightsTests {
  private let sandbox: Sandbox
  private static let listName = "system.posix_acl_access"
  private static let hasLists = AttributeTests.supports(listName, AttributeTests.accessList)

  init() throws { sandbox = try Sandbox() }

  /// A file that user 1234 may read and write, and its group may not; its mode shows the mask.
  private func listed() throws -> FilePath {
    let path = try sandbox.file("a.jpg", mode: 0o600)
    try sandbox.setAttribute(Self.listName, of: path, to: AttributeTests.accessList)
    #expect(try sandbox.status(path).permissions == 0o660)
    return path
  }

  private func create(_ output: FilePath, like source: FilePath) throws -> [LostAttribute] {
    let rights = try FileReader(source).rights()
    return try AtomicCreation().create(output, like: rights, with: Array("new".utf8))
  }

  @Test(.enabled(if: hasLists, "no ACLs here: keep TMPDIR on a file system that has them"))
  func `an output has its source's access control list`() throws {
    let output = sandbox.path.appending("out.jpg")
    #expect(try create(output, like: try listed()).isEmpty)
    #expect(try sandbox.attribute(Self.listName, of: output) == AttributeTests.accessList)
    #expect(try sandbox.status(output).permissions == 0o660)
  }

  @Test(.enabled(if: hasLists, "no ACLs here: keep TMPDIR on a file system that has them"))
  func `without the list, an output is for its owner and for whom every entry admits`() throws {
    let source = try listed()
    let output = sandbox.path.appending("out.jpg")
    let lost = try failing("fsetxattr", with: .notSupported) { try create(output, like: source) }
    #expect(lost == [.extendedAttribute(Array(Self.listName.utf8))])
    #expect(try sandbox.status(output).permissions == 0o600)
  }

  @Test(.enabled(if: hasLists, "no ACLs here: keep TMPDIR on a file system that has them"))
  func `whom a lost list shuts out, the mode does not let in`() throws {
    // As the other, but everybody else may read: user 1234 alone has nothing.
    var list = AttributeTests.accessList
    for entry in 0..<5 { list[4 + entry * 8 + 2] = [6, 0, 4, 4, 4][entry] }
    let source = try sandbox.file("a.jpg", mode: 0o644)
    try sandbox.setAttribute(Self.listName, of: source, to: list)
    let output = sandbox.path.appending("out.jpg")
    _ = try failing("fsetxattr", with: .notSupported) { try create(output, like: source) }
    #expect(try sandbox.status(output).permissions == 0o600)
    let identity = try readFile(source).identity
    _ = try failing("fsetxattr", with: .notPermitted) {
      try AtomicReplacement().replace(source, readAs: identity, with: [1])
    }
    #expect(try sandbox.status(source).permissions == 0o600)
  }

  @Test(
    .enabled(
      if: AttributeTests.supports(
        "system.posix_acl_default",
        AttributeTests.accessList,
        onDirectory: true
      ),
      "no ACLs here: keep TMPDIR on a file system that has them"
    )
  )
  func `the directory's default list gives nobody a right to an output`() throws {
    let source = try sandbox.file("a.jpg", mode: 0o640)
    try sandbox.directory("out")
    let directory = sandbox.path.appending("out")
    try sandbox.setAttribute(
      "system.posix_acl_default",
      of: directory,
      to: AttributeTests.accessList
    )
    let output = directory.appending("a.jpg")
    #expect(try create(output, like: source).isEmpty)
    #expect(throws: Errno.noData) { try sandbox.attribute(Self.listName, of: output) }
    #expect(try sandbox.status(output).permissions == 0o640)
  }

  @Test(.enabled(if: runsAsRoot, "needs files of two owners: run the tests as root"))
  func `another group gets no more than everybody, and everybody no more than the group`() async {
    await #expect(processExitsWith: .success) {
      let sandbox = try Sandbox()
      let modes: [(UInt16, UInt16)] = [
        (0o640, 0o600), (0o664, 0o644), (0o4644, 0o644), (0o604, 0o600),
      ]
      for (number, (mode, _)) in modes.enumerated() {
        try sandbox.file(FilePath("\(number).jpg"), mode: mode)
      }
      try sandbox.chmod(sandbox.path, 0o777)
      let rights = try modes.indices.map {
        try FileReader(sandbox.path.appending("\($0).jpg")).rights()
      }
      try asNobody {
        for (number, (_, expected)) in modes.enumerated() {
          let output = sandbox.path.appending("out\(number).jpg")
          try AtomicCreation().create(output, like: rights[number], with: [1])
          #expect(try sandbox.status(output).permissions == expected)
        }
      }
    }
  }

  @Test func `records, journals and pages are their owner's alone`() throws {
    let log = sandbox.path.appending("log")
    try AppendedFile(log, beginning: [0x7B]).append([0x7B, 0x0A])
    let page = sandbox.path.appending("page")
    var file = try StreamedFile(page, replacing: [0x3C])
    try file.append([0x3C])
    try file.finish()
    #expect(try sandbox.status(log).permissions == 0o600)
    #expect(try sandbox.status(page).permissions == 0o600)
    // Who makes them public has done so.
    for path in [log, page] { try sandbox.chmod(path, 0o644) }
    try AppendedFile(log, beginning: [0x7B]).append([0x7B, 0x0A])
    var next = try StreamedFile(page, replacing: [0x3C])
    try next.append([0x3C])
    try next.finish()
    #expect(try sandbox.status(log).permissions == 0o644)
    #expect(try sandbox.status(page).permissions == 0o644)
  }
}
