import FaultInjection
import FileSystem
import SystemPackage
import Testing

@Suite struct WalkTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  @Test func `files come depth first, sorted by the bytes of their names`() throws {
    for name in ["b.jpg", "a/z.jpg", "a/b/c.jpg", "B.jpg", "ä.jpg", "a.jpg", "c/a.jpg"] {
      try sandbox.file(FilePath(name))
    }
    #expect(
      walk([sandbox.path]) == [
        "B.jpg", "a/b/c.jpg", "a/z.jpg", "a.jpg", "b.jpg", "c/a.jpg", "ä.jpg",
      ]
    )
  }

  @Test func `files are selected by the ending of their names, in any case`() throws {
    for name in [
      "a.jpg", "b.JPEG", "c.Jpe", "d.jfif", "d.MPO", "e.png", "f.jpg.txt", "jpg", "gjpg",
    ] {
      try sandbox.file(FilePath(name))
    }
    // Sidecars and hidden files are not reported.
    for name in ["a.jpg.xmp", ".DS_Store"] { try sandbox.file(FilePath(name)) }
    let others = ["e.png", "f.jpg.txt", "gjpg", "jpg"].map { $0 + ": other-name" }
    #expect(walk([sandbox.path]) == ["a.jpg", "b.JPEG", "c.Jpe", "d.MPO", "d.jfif"] + others)
  }

  @Test func `a file that is named is taken whatever its name`() throws {
    let file = try sandbox.file("scan.dat")
    #expect(Array(Walk(roots: [file], recursive: false)) == [.file(Walk.Found(file, root: file))])
  }

  @Test func `without recursion a directory is an error, not a walk`() throws {
    try sandbox.file("a.jpg")
    try sandbox.file("sub/b.jpg")
    let items = Array(Walk(roots: [sandbox.path], recursive: false))
    guard case .failed(let error)? = items.first, items.count == 1 else {
      Issue.record("got \(items)")
      return
    }
    #expect(error.identifier == "is-directory")
  }

  @Test func `a directory's files are found under names that are not UTF-8`() throws {
    let name = try #require(FilePath.Component(bytes: [0xFF, 0x2E, 0x6A, 0x70, 0x67]))
    let file = try sandbox.file(FilePath(root: nil, [name]))
    let items = Array(Walk(roots: [sandbox.path], recursive: true))
    guard case .file(let found)? = items.first, items.count == 1 else {
      Issue.record("got \(items)")
      return
    }
    #expect(found.path == file && found.root == sandbox.path && found.directory == sandbox.path)
  }

  @Test func `links to files are followed, links to directories are not`() throws {
    try sandbox.file("real/a.jpg")
    try sandbox.symbolicLink("link.jpg", to: "real/a.jpg")
    try sandbox.symbolicLink("directory", to: "real")
    try sandbox.symbolicLink("real/loop", to: "..")
    try sandbox.symbolicLink("broken.jpg", to: "none")
    try sandbox.symbolicLink("broken", to: "none")
    #expect(
      walk([sandbox.path]) == [
        "broken.jpg: dangling-link", "directory: linked-directory", "link.jpg: duplicate",
        "real/a.jpg", "real/loop: linked-directory",
      ]
    )
    var all = Walk(roots: [sandbox.path], recursive: true)
    all.meetsOnce = false
    #expect(all.map(text).contains("link.jpg"))
  }

  @Test func `a link is followed to a file that the walk does not meet otherwise`() throws {
    try sandbox.file("tree/.hidden/a.jpg")
    try sandbox.file("tree/sub/b.jpg.orig")
    try sandbox.file("tree/out/c.jpg")
    try sandbox.file("tree/sub/d.jpg")
    try sandbox.file("elsewhere/e.jpg")
    let targets = [
      "1.jpg": ".hidden/a.jpg", "2.jpg": "sub/b.jpg.orig", "3.jpg": "out/c.jpg",
      "4.jpg": "sub/d.jpg", "5.jpg": "../elsewhere/e.jpg", "6.jpg": "4.jpg",
    ]
    for (name, target) in targets {
      try sandbox.symbolicLink(FilePath("tree/" + name), to: FilePath(target))
    }
    let root = sandbox.path.appending("tree")
    var walk = Walk(roots: [root], recursive: true)
    walk.outputDirectory = root.appending("out")
    let links = { (walk: Walk) in
      walk.map(text).filter { $0.hasPrefix("tree/") && $0.contains(".jpg") }
    }
    #expect(
      links(walk) == [
        "tree/1.jpg", "tree/2.jpg", "tree/3.jpg", "tree/4.jpg: duplicate", "tree/5.jpg",
        "tree/6.jpg: duplicate", "tree/sub/b.jpg.orig: backup", "tree/sub/d.jpg",
      ]
    )
    walk.includesHidden = true
    walk.filter = PathFilter(excluded: [Array("d.jpg".utf8)])
    #expect(
      links(walk) == [
        "tree/.hidden/a.jpg", "tree/1.jpg: duplicate", "tree/2.jpg", "tree/3.jpg", "tree/4.jpg",
        "tree/5.jpg", "tree/6.jpg", "tree/sub/b.jpg.orig: backup",
      ]
    )
    walk.roots.append(sandbox.path.appending("elsewhere"))
    #expect(links(walk).contains("tree/5.jpg: duplicate"))
    let found = walk.compactMap { if case .file(let found) = $0 { found } else { nil } }
    #expect(found.first { $0.path.lastComponent == "2.jpg" }?.target?.lastComponent == "b.jpg.orig")
    #expect(found.first { $0.path.lastComponent == "e.jpg" }?.target == nil)
  }

  @Test func `backups are ignored, and other names are candidates on request`() throws {
    for name in ["a.jpg", "a.jpg.orig", "a.jpg_original", "b", "b.bak", "c.jpg.old"] {
      try sandbox.file(FilePath(name))
    }
    let backups = ["a.jpg.orig: backup", "a.jpg_original: backup"]
    let others = ["b", "b.bak", "c.jpg.old"].map { $0 + ": other-name" }
    #expect(walk([sandbox.path]) == ["a.jpg"] + backups + others)
    let all = Walk(roots: [sandbox.path], recursive: true, names: NameRule(allNames: true))
    #expect(all.map(text) == ["a.jpg"] + backups + ["b", "b.bak: backup", "c.jpg.old"])
    guard case .candidate? = all.first(where: { text($0) == "b" }) else {
      Issue.record("the content of b decides")
      return
    }
    let own = Walk(
      roots: [sandbox.path],
      recursive: true,
      names: NameRule(backupSuffix: Array(".old".utf8))
    )
    #expect(own.map(text).contains("c.jpg.old: backup"))
    #expect(walk([sandbox.path.appending("a.jpg.orig")]) == ["a.jpg.orig"])
  }

  @Test func `names in a list are judged as in a directory`() {
    let walk = Walk(roots: [], recursive: false)
    var directory = NamedDirectory()
    let names = [
      "x/a.jpg", "x/a.jpg.orig", "x/b", "/etc/passwd", "x/._a.jpg", "x/.a.jpg.upright-abc123.tmp",
    ]
    #expect(
      names.map { text(walk.item(listed: FilePath($0), in: &directory)) } == [
        "x/a.jpg", "x/a.jpg.orig", "x/b", "/etc/passwd: other-name",
        "x/._a.jpg",
        "x/.a.jpg.upright-abc123.tmp: temporary",
      ]
    )
  }

  /// Names files of the directory `d` one after the other, and counts the listings.
  private func describe(
    _ names: some Sequence<String>,
    _ directory: inout NamedDirectory
  ) -> (found: [Walk.Found], lists: Int) {
    let lists = CallCounter()
    let found = probing(
      { call in
        if call == "opendir" { _ = lists.next() }
        return nil
      },
      {
        names.map { name in
          var found = Walk.Found(sandbox.path.pushing("d").pushing(FilePath(name)), root: "")
          directory.describe(&found)
          return found
        }
      }
    )
    return (found, lists.value)
  }

  /// The names that belong to the shot of a file.
  private func pairs(_ found: Walk.Found) -> [String]? {
    guard let name = found.path.lastComponent else { return nil }
    return found.surroundings?.paired(with: Array(name.string.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `the directory of named files is listed once, and again after a change`() throws {
    let names = (0..<9).map { "\($0).jpg" }
    for name in names { try sandbox.file(FilePath("d/" + name)) }
    try sandbox.file("d/5.nef")
    try sandbox.directory("d/4.mov")
    var directory = NamedDirectory(settling: -1)
    let (found, lists) = describe(names.prefix(6) + ["5.JPG"], &directory)
    #expect(lists == 1)
    #expect(found.map(pairs) == [nil, nil, [], [], [], ["5.nef"], nil])
    #expect(
      found.map { $0.surroundings?.mayHave(".xmp") } == [nil, nil, false, false, false, false, nil]
    )
    try sandbox.file("d/7.xmp")
    let (later, moreLists) = describe(names.suffix(3), &directory)
    #expect(moreLists == 1)
    #expect(later.map(pairs) == [[], [], []])
    #expect(later.allSatisfy { $0.surroundings?.mayHave(".XMP") == true })
  }

  @Test func `files of one shot are found among names that begin alike`() throws {
    let shots = [
      ["PXL_1.RAW-01.COVER.jpg", "PXL_1.RAW-02.ORIGINAL.dng"], ["a-1.jpg"], ["a.b.jpg", "a.b.mov"],
      ["a.c.jpg"], ["a.jpg", "a.nef"], ["a1.jpg"], ["b.jpg"],
    ]
    for name in shots.joined() { try sandbox.file(FilePath(name)) }
    let surroundings = try #require(Surroundings(in: sandbox.path))
    for shot in shots {
      for name in shot {
        let others = surroundings.paired(with: Array(name.utf8))
        #expect(others.map { String(decoding: $0, as: UTF8.self) } == shot.filter { $0 != name })
      }
    }
  }

  @Test func `a large directory is listed after as many files as make that worth it`() throws {
    for number in 0..<200 { try sandbox.file(FilePath("d/\(number).jpg")) }
    var directory = NamedDirectory(settling: -1)
    let (found, lists) = describe((0..<9).map { "\($0).jpg" }, &directory)
    #expect(lists == 2)
    #expect(found.map { $0.surroundings == nil } == (0..<9).map { $0 < 5 })
  }

  @Test func `a directory that may change unseen is not trusted`() throws {
    let names = (0..<9).map { "\($0).jpg" }
    for name in names { try sandbox.file(FilePath("d/" + name)) }
    var recent = NamedDirectory(settling: 1000)
    #expect(describe(names, &recent).lists == 0)
    var shortLived = NamedDirectory(settling: -1, lifetime: .zero)
    let (found, lists) = describe(names, &shortLived)
    #expect(lists == 2)
    #expect(found.filter { $0.surroundings != nil }.count == 2)
  }

  @Test func `a link to a directory is entered if it is named`() throws {
    try sandbox.file("real/a.jpg")
    let link = try sandbox.symbolicLink("link", to: "real")
    #expect(walk([link]) == ["link/a.jpg"])
  }

  @Test func `hidden directories are entered on request`() throws {
    try sandbox.file(".cache/a.jpg")
    #expect(walk([sandbox.path]) == [".cache: hidden"])
    #expect(walk([sandbox.path.appending(".cache")]) == [".cache/a.jpg"])
    let all = Walk(roots: [sandbox.path], recursive: true, includesHidden: true)
    #expect(all.map(text) == [".cache/a.jpg"])
  }

  @Test func `directories of systems are entered on request, and if they are named`() throws {
    let system = [
      "#recycle", "#snapshot", "$RECYCLE.BIN", ".@__thumb", ".Trash-1000", ".Trashes", ".zfs",
      "@Recently-Snapshot", "@Recycle", "@eaDir", "System Volume Information", "lost+found",
      "sub/$Recycle.Bin", "sub/SYSTEM VOLUME INFORMATION", "~snapshot",
    ]
    // Others may have similar names.
    let own = ["#recycles/a.jpg", "@EADIR/a.jpg", "Lost+Found/a.jpg", "recycle/a.jpg"]
    for name in system.map({ $0 + "/a.jpg" }) + own { try sandbox.file(FilePath(name)) }
    try sandbox.file(".Trash-x/a.jpg")
    let ignored = system.map { $0 + ": system" } + [".Trash-x: hidden"]
    #expect(Set(walk([sandbox.path])) == Set(own + ignored))
    var all = Walk(roots: [sandbox.path], recursive: true)
    all.includesSystem = true
    let entered = own + system.map { $0 + "/a.jpg" } + [".Trash-x: hidden"]
    #expect(Set(all.map(text)) == Set(entered))
    #expect(walk([sandbox.path.appending("#recycle")]) == ["#recycle/a.jpg"])
    // A file in one, to which a link leads, is not met by the walk otherwise.
    try sandbox.symbolicLink("link.jpg", to: "#recycle/a.jpg")
    #expect(walk([sandbox.path]).contains("link.jpg"))
  }

  @Test func `the names of a directory are found by their beginnings and endings`() throws {
    for name in ["a.JPG", "A.xmp", "a_01.jpg.xmp", "a_2.jpg", "b.AUX.xml", "ab", "Other.ini"] {
      try sandbox.file(FilePath(name))
    }
    _ = try sandbox.directory("folder")
    func surroundings(_ name: String) -> Surroundings? {
      Surroundings(around: sandbox.path.appending(name), besides: ["other.ini"])
    }
    let found = try #require(surroundings("a.JPG"))
    func names(_ beginning: String) -> [String] {
      found.names(beginningWith: Array(beginning.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(names("a_") == ["a_01.jpg.xmp", "a_2.jpg"])
    #expect(names("b").isEmpty)
    let all = ["A.xmp", "Other.ini", "a.JPG", "a_01.jpg.xmp", "a_2.jpg", "ab", "folder"]
    #expect(names("") == all)
    #expect([".jpg", ".xmp", ".picasa.ini"].allSatisfy(found.mayHave))
    #expect(![".aae", ".x", ".mov", ".aux.xml"].contains(where: found.mayHave))
    #expect(found.contains(Array("ab".utf8)) && !found.contains(Array("A".utf8)))
    #expect(surroundings("A.jpg") == nil)
  }

  @Test func `a Pixel's photo and its raw file are of one shot`() throws {
    let names = [
      "PXL_1.RAW-01.COVER.jpg", "PXL_1.RAW-02.ORIGINAL.dng", "PXL_2.RAW-01.MP.COVER.jpg",
      "PXL_2.RAW-02.ORIGINAL.dng", "PXL_3.RAW-1.COVER.jpg", "a.COVER.jpg", "a.COVER.nef",
    ]
    for name in names { try sandbox.file(FilePath(name)) }
    let found = Array(Walk(roots: [sandbox.path], recursive: true)).compactMap { item in
      if case .file(let found) = item { pairs(found) } else { nil }
    }
    #expect(
      found == [
        ["PXL_1.RAW-02.ORIGINAL.dng"], ["PXL_2.RAW-02.ORIGINAL.dng"], [], ["a.COVER.nef"],
      ]
    )
  }

  @Test func `a file that is not a photo is ignored with a reason`() throws {
    try sandbox.file("._a.jpg")
    _ = try sandbox.fifo("pipe.jpg")
    _ = try sandbox.fifo("pipe")
    let temporary = try sandbox.file(".a.jpg.upright-abc123.tmp")
    try sandbox.file(".a.jpg.upright-abc.tmp")
    #expect(
      walk([sandbox.path]) == [
        "._a.jpg: apple-double", ".a.jpg.upright-abc123.tmp: temporary", "pipe.jpg: special",
      ]
    )
    #expect(walk([temporary]) == [".a.jpg.upright-abc123.tmp: temporary"])
  }

  @Test func `a root that cannot be visited is reported and the walk goes on`() throws {
    let fifo = try sandbox.fifo("pipe")
    let file = try sandbox.file("a.jpg")
    #expect(
      walk([sandbox.path.appending("none"), fifo, file]) == [
        "none: not-found", "pipe: is-fifo", "a.jpg",
      ]
    )
  }

  @Test func `a directory that cannot be read is reported and the walk goes on`() throws {
    for name in ["a/1.jpg", "b/2.jpg", "c/3.jpg"] { try sandbox.file(FilePath(name)) }
    let opened = CallCounter()
    let found = probing(
      { call in call == "opendir" && opened.next() == 2 ? .permissionDenied : nil },
      { walk([sandbox.path]) }
    )
    #expect(found == ["a/1.jpg", "b: permission-denied", "c/3.jpg"])
  }

  @Test func `a directory whose listing fails is reported`() throws {
    try sandbox.file("a.jpg")
    let found = failing("readdir", with: .ioError) { walk([sandbox.path]) }
    #expect(found == [": input-output"])
  }

  @Test func `a root that is named twice is visited once`() throws {
    let file = try sandbox.file("a.jpg")
    let link = try sandbox.symbolicLink("link.jpg", to: "a.jpg")
    let directory = try sandbox.file("d/b.jpg").removingLastComponent()
    #expect(
      walk([file, file, link, directory, directory]) == [
        "a.jpg", "a.jpg: duplicate", "link.jpg", "d/b.jpg", "d: duplicate",
      ]
    )
  }

  @Test func `the directory of the outputs is not entered, even if it is made meanwhile`() throws {
    try sandbox.file("a.jpg")
    try sandbox.directory("out")
    let output = sandbox.path.appending("out")
    var items: [String] = []
    for item in Walk(roots: [sandbox.path], recursive: true, outputDirectory: output) {
      items.append(text(item))
      _ = try? sandbox.file("out/a.jpg")
    }
    #expect(items == ["a.jpg", "out: output"])
  }

  @Test func `nothing is read before it is asked for`() throws {
    try sandbox.file("a/1.jpg")
    try sandbox.file("b/2.jpg")
    var walk = Walk(roots: [sandbox.path], recursive: true).makeIterator()
    #expect(walk.next().map(text) == "a/1.jpg")
    try sandbox.file("b/3.jpg")
    #expect(walk.next().map(text) == "b/2.jpg")
    #expect(walk.next().map(text) == "b/3.jpg")
    #expect(walk.next() == nil)
    #expect(walk.next() == nil)
  }

  // MARK: Helpers

  private func walk(_ roots: [FilePath], recursive: Bool = true) -> [String] {
    Walk(roots: roots, recursive: recursive).map(text)
  }

  /// The item as its path below the sandbox and its identifier.
  private func text(_ item: Walk.Item) -> String {
    switch item {
    case .file(let found), .candidate(let found): relative(found.path)
    case .ignored(let path, let reason): "\(relative(path)): \(reason.rawValue)"
    case .failed(let error): "\(relative(error.path)): \(error.identifier)"
    }
  }

  private func relative(_ path: FilePath) -> String {
    var path = path
    _ = path.removePrefix(sandbox.path)
    return path.string
  }
}
