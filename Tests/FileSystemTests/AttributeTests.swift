import FaultInjection
import FileSystem
import SystemPackage
import Testing

@Suite struct AttributeTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  /// The list `user::rw-,user:1234:rw-,group::---,mask::rw-,other::---`, as Linux stores it.
  static let accessList: [UInt8] = [
    2, 0, 0, 0,
    0x01, 0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF,
    0x02, 0, 6, 0, 0xD2, 0x04, 0, 0,
    0x04, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF,
    0x10, 0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF,
    0x20, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF,
  ]

  /// Whether temporary files can have this attribute here.
  static func supports(_ name: String, _ value: [UInt8], onDirectory: Bool = false) -> Bool {
    guard let sandbox = try? Sandbox(), let file = try? sandbox.file("a") else { return false }
    return
      (try? sandbox.setAttribute(
        name,
        of: onDirectory ? sandbox.path : file,
        to: value
      )) != nil
  }

  @Test(
    .enabled(
      if: supports("user.a", [1]),
      "no extended attributes here: keep TMPDIR on a file system that has them"
    )
  )
  func `extended attributes are kept`() throws {
    let path = try sandbox.file("a.jpg")
    try sandbox.setAttribute("user.xdg.tags", of: path, to: Array("holiday".utf8))
    try sandbox.setAttribute("user.empty", of: path, to: [])
    try sandbox.setAttribute("user.binary", of: path, to: [0, 255, 0])
    #expect(try replace(path).isEmpty)
    #expect(try sandbox.attribute("user.xdg.tags", of: path) == Array("holiday".utf8))
    #expect(try sandbox.attribute("user.empty", of: path).isEmpty)
    #expect(try sandbox.attribute("user.binary", of: path) == [0, 255, 0])
  }

  @Test(.enabled(if: supports("security.ima", [1]), "needs another user: run the tests as root"))
  func `a signature of the former content is not kept`() throws {
    let path = try sandbox.file("a.jpg")
    try sandbox.setAttribute("security.ima", of: path, to: [1])
    #expect(try replace(path).isEmpty)
    #expect(throws: Errno.self) { try sandbox.attribute("security.ima", of: path) }
  }

  @Test(
    .enabled(
      if: supports("user.a", [1]),
      "no extended attributes here: keep TMPDIR on a file system that has them"
    )
  )
  func `an attribute whose name is not UTF-8 is kept`() throws {
    let path = try sandbox.file("a.jpg")
    let name = Array("user.".utf8) + [0xE9, 0x74, 0xE9]
    let set = { (path: FilePath) in
      let file = try FileDescriptor.open(path, .readOnly)
      try file.closeAfter { try Syscalls.setAttribute(name, of: file, to: [7]) }
    }
    try set(path)
    #expect(try replace(path).isEmpty)
    let file = try FileDescriptor.open(path, .readOnly)
    #expect(try file.closeAfter { try Syscalls.attribute(name, of: file) } == [7])
    let lost = try failing("fsetxattr", with: .notPermitted) { try replace(path) }
    #expect(lost == [.extendedAttribute(name)])
  }

  @Test(
    .enabled(
      if: supports("system.posix_acl_access", accessList),
      "no ACLs here: keep TMPDIR on a file system that has them"
    )
  )
  func `an access control list is kept`() throws {
    let path = try sandbox.file("a.jpg", mode: 0o600)
    try sandbox.setAttribute("system.posix_acl_access", of: path, to: Self.accessList)
    let mode = try sandbox.status(path).permissions
    #expect(try replace(path).isEmpty)
    #expect(try sandbox.attribute("system.posix_acl_access", of: path) == Self.accessList)
    #expect(try sandbox.status(path).permissions == mode)
  }

  @Test(
    .enabled(
      if: supports("system.posix_acl_default", accessList, onDirectory: true),
      "no ACLs here: keep TMPDIR on a file system that has them"
    )
  )
  func `the directory's default list gives nobody a right to the file`() throws {
    let path = try sandbox.file("a.jpg", mode: 0o640)
    try sandbox.setAttribute("system.posix_acl_default", of: sandbox.path, to: Self.accessList)
    #expect(try replace(path).isEmpty)
    #expect(throws: Errno.self) { try sandbox.attribute("system.posix_acl_access", of: path) }
    #expect(try sandbox.status(path).permissions == 0o640)
  }

  @Test(
    .enabled(
      if: supports("user.a", [1]),
      "no extended attributes here: keep TMPDIR on a file system that has them"
    )
  )
  func `an attribute that may not be set is reported`() throws {
    let path = try sandbox.file("a.jpg")
    try sandbox.setAttribute("user.a", of: path, to: [1])
    let lost = try failing("fsetxattr", with: .notPermitted) { try replace(path) }
    #expect(lost == [.extendedAttribute(Array("user.a".utf8))])
  }

  @Test(
    .enabled(
      if: supports("system.posix_acl_access", accessList),
      "no ACLs here: keep TMPDIR on a file system that has them"
    )
  )
  func `the mask of a lost list does not become rights of the group`() throws {
    let path = try sandbox.file("a.jpg", mode: 0o600)
    try sandbox.setAttribute("system.posix_acl_access", of: path, to: Self.accessList)
    let lost = try failing("fsetxattr", with: .notPermitted) { try replace(path) }
    #expect(lost == [.extendedAttribute(Array("system.posix_acl_access".utf8))])
    #expect(try sandbox.status(path).permissions == 0o600)
  }

  @Test func `a file system without attributes is no failure`() throws {
    let path = try sandbox.file("a.jpg")
    let lost = try failing("flistxattr", with: .notSupported) { try replace(path) }
    #expect(lost.isEmpty)
    #expect(try sandbox.content(path) == "new")
  }

  @Test(.enabled(if: runsAsRoot, "needs files of two owners: run the tests as root"))
  func `another's file is reported to have lost its owner, and nobody gains a right`() async {
    await #expect(processExitsWith: .success) {
      let sandbox = try Sandbox()
      let path = try sandbox.file("a.jpg", mode: 0o6664)
      try sandbox.chmod(sandbox.path, 0o777)
      try asNobody {
        let identity = try readFile(path).identity
        let lost = try AtomicReplacement().replace(path, readAs: identity, with: [1])
        #expect(lost == [.owner, .group])
        let after = try sandbox.status(path)
        #expect(after.user == 65_534 && after.group == 65_534)
        #expect(after.permissions == 0o644)
      }
    }
  }

  @Test(.enabled(if: runsAsRoot, "needs files of two owners: run the tests as root"))
  func `what permissions forbid is an error that leaves the original`() async {
    await #expect(processExitsWith: .success) {
      let sandbox = try Sandbox()
      let path = try sandbox.file("a.jpg")
      let secret = try sandbox.file("secret.jpg", mode: 0o600)
      try asNobody {
        let identity = try readFile(path).identity
        let refused = problem {
          _ = try AtomicReplacement().replace(path, readAs: identity, with: [1])
        }
        #expect(refused == .permissionDenied)
        #expect(problem { _ = try readFile(secret) } == .permissionDenied)
        #expect(try sandbox.content(path) == "old")
        #expect(try sandbox.names() == ["a.jpg", "secret.jpg"])
      }
    }
  }

  private func replace(_ path: FilePath) throws -> [LostAttribute] {
    let identity = try readFile(path).identity
    return try AtomicReplacement().replace(path, readAs: identity, with: Array("new".utf8))
  }
}
