import FaultInjection
import FileSystem
import Synchronization
import SystemPackage
import Testing

struct MetFilesTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// Whether a run that has met `met` meets this path for the first time.
  private func isNew(
    _ path: FilePath,
    _ visited: VisitedFiles,
    target: FilePath? = nil
  ) throws -> Bool {
    var found = Walk.Found(path, root: sandbox.path)
    found.target = target
    return visited.isNew(found, try readFile(path).identity)
  }

  private func replace(
    _ path: FilePath,
    _ visited: VisitedFiles,
    _ hardLinks: HardLinks = .refuse
  ) throws {
    let identity = try readFile(path).identity
    let replacement = AtomicReplacement(hardLinks: hardLinks, visited: visited)
    _ = try replacement.replace(path, readAs: identity, with: Array("new".utf8))
  }

  @Test func `a file is new once, also after it was replaced`() throws {
    let path = try sandbox.file("a.jpg")
    let link = try sandbox.symbolicLink("b.jpg", to: "a.jpg")
    let visited = VisitedFiles(remembersAll: true)
    #expect(try isNew(path, visited))
    #expect(try !isNew(link, visited))
    try replace(path, visited)
    #expect(try !isNew(path, visited))
    #expect(try !isNew(link, visited))
  }

  @Test func `a new file with a reused inode is new`() throws {
    let path = try sandbox.file("a.jpg")
    let visited = VisitedFiles(remembersAll: true)
    let former = try readFile(path).identity
    #expect(try isNew(path, visited))
    try replace(path, visited)
    let problem = problem { try failing("exchange", with: .ioError) { try replace(path, visited) } }
    #expect(problem == .inputOutput)
    for number in 0..<20 {
      #expect(try isNew(try sandbox.file(FilePath("\(number).jpg")), visited))
    }
    // Who opened the file before it was replaced has met the former one.
    #expect(!visited.isNew(Walk.Found(path, root: ""), former))
  }

  @Test func `a file with the inode of one that another program replaced is new`() throws {
    let path = try sandbox.file("a.jpg")
    let visited = VisitedFiles(remembersAll: true)
    let former = try readFile(path).identity
    #expect(try isNew(path, visited))
    var hasInode = false
    for number in 0..<100 where !hasInode {
      try sandbox.move(sandbox.file("new"), to: path)
      let other = try sandbox.file(FilePath("\(number).jpg"))
      hasInode = try readFile(other).identity.key == former.key
      #expect(try isNew(other, visited))
      #expect(try !isNew(other, visited))
    }
    if !hasInode { print("no inode was used again: not tried") }
  }

  @Test func `a file that changed meanwhile is not new`() throws {
    let path = try sandbox.file("a.jpg")
    let link = try sandbox.symbolicLink("b.jpg", to: "a.jpg")
    let visited = VisitedFiles(remembersAll: true)
    #expect(try isNew(path, visited))
    try replace(path, visited)
    try sandbox.chmod(path, 0o600)
    #expect(try !isNew(path, visited))
    #expect(try !isNew(link, visited))
  }

  @Test func `an original that is kept counts as visited`() throws {
    let path = try sandbox.file("a.jpg")
    let visited = VisitedFiles(remembersAll: true)
    #expect(try isNew(path, visited))
    let identity = try readFile(path).identity
    let replacement = AtomicReplacement(backupSuffix: Array(".orig".utf8), visited: visited)
    _ = try replacement.replace(path, readAs: identity, with: Array("new".utf8))
    #expect(try !isNew(sandbox.path.appending("a.jpg.orig"), visited))
  }

  @Test func `a replacement is known before it has the name`() throws {
    let path = try sandbox.file("a.jpg")
    let visited = VisitedFiles(remembersAll: true)
    #expect(try isNew(path, visited))
    let seen = Mutex<[Bool]>([])
    try probing(
      { call in
        // The exchange is made before the names are looked at.
        if call == "unlink", let isNew = try? isNew(path, visited) {
          seen.withLock { $0.append(isNew) }
        }
        return nil
      },
      { try replace(path, visited) }
    )
    #expect(seen.withLock { $0 } == [false])
  }

  @Test func `for one directory, files with several names and link targets are remembered`() throws
  {
    let path = try sandbox.file("a.jpg")
    let other = try sandbox.hardLink("b.jpg", to: path)
    let plain = try sandbox.file("c.jpg")
    let visited = VisitedFiles(remembersAll: false)
    #expect(try isNew(path, visited))
    #expect(try !isNew(other, visited))
    #expect(try isNew(plain, visited, target: plain))
    #expect(try !isNew(plain, visited, target: plain))
    try replace(plain, visited)
    #expect(try !isNew(plain, visited, target: plain))
  }

  @Test(arguments: [false, true])
  func `each name is a separate file where hard links are broken`(remembersAll: Bool) throws {
    let path = try sandbox.file("a.jpg")
    let other = try sandbox.hardLink("b.jpg", to: path)
    let again = sandbox.path.pushing("./a.jpg")
    let visited = VisitedFiles(remembersAll: remembersAll, hardLinks: .break)
    #expect(try isNew(path, visited))
    #expect(try !isNew(again, visited))
    try replace(path, visited, .break)
    if remembersAll { #expect(try !isNew(again, visited)) }
    #expect(try isNew(other, visited))
    #expect(try sandbox.content(other) == "old")
  }
}
