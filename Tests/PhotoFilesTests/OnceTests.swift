import FileSystem
import Fixtures
import ImageOrientation
import PhotoFiles
import Reports
import Testing
import Upright

/// A file that several paths lead to is worked on once a run.
struct OnceTests {
  private let scratch: Scratch
  private let photo: [UInt8]
  private let rotation = FileRun(request: .rotate90)

  init() throws {
    scratch = try Scratch()
    photo = try Fixture.bytes(rotatedFixture)
  }

  /// What a request makes of the photo alone.
  private func once(_ request: Request) throws -> [UInt8] {
    let outcome = try Rewriter(request).rewrite(photo)
    return try #require(outcome.rewrite).bytes
  }

  private static let requests: [Request] = [
    .normalize(), .rotate90, .transform(.flipHorizontal, tagOnly: false),
    .transform(.transpose, tagOnly: false), .transform(.transverse, tagOnly: false),
    .transform(.rotate90, tagOnly: true), .tag(.set(.down)),
    .crop(PixelRectangle(x: 16, y: 16, width: 16, height: 16)),
  ]

  @Test(arguments: requests)
  func `Links in a tree, roots that overlap and spellings in a list lead to one file`(
    request: Request
  ) throws {
    let expected = try once(request)
    try scratch.write([], to: "tree/sub/empty")
    try scratch.link("tree/0.jpg", to: "sub/a.jpg")
    try scratch.link("tree/sub/z.jpg", to: "../1.jpg")
    try scratch.link("tree/1.jpg", to: "sub/a.jpg")
    try scratch.link("tree/elsewhere", to: "sub")
    let spellings = ["tree/sub/a.jpg", "tree/./sub/a.jpg", "tree/sub/../sub/a.jpg", "tree/1.jpg"]
    let ways: [(paths: [String], list: [String], links: Walk.LinkPolicy, duplicates: Int)] = [
      (["tree"], [], .files, 3), (["tree", "tree/sub"], [], .files, 5),
      (["tree/sub", "tree"], [], .files, 5), (["tree"], [], .all, 5), ([], spellings, .files, 3),
      (spellings, [], .files, 3),
    ]
    for way in ways {
      try scratch.write(photo, to: "tree/sub/a.jpg")
      let run = FileRun(request: request, links: way.links, jobs: 8)
      let (paths, list) = (way.paths.map(scratch.path), way.list.map(scratch.path))
      let result = try run.rewrite(paths, list: list)
      #expect(result.verdict == .done && result.reports.count == 1, "\(way), \(result.reports)")
      #expect(result.ignored[.duplicate] == way.duplicates, "\(way)")
      #expect(try scratch.read("tree/sub/a.jpg") == expected, "\(way)")
    }
  }

  @Test func `Many threads and many links to few files transform each once`() throws {
    let expected = try once(.rotate90)
    for number in 0..<10 {
      try scratch.write(photo, to: "originals/\(number).jpg")
      for copy in 0..<20 {
        try scratch.link("tree/\(copy)/\(number).jpg", to: "../../originals/\(number).jpg")
      }
    }
    let result = try rotation.with(\.jobs, 8).rewrite(scratch.path("tree"))
    #expect(result.statuses == Array(repeating: .rotated, count: 10))
    #expect(result.ignored == [.duplicate: 190])
    for number in 0..<10 { #expect(try scratch.read("originals/\(number).jpg") == expected) }
  }

  @Test(arguments: [Request.normalize(), .rotate90])
  func `Where hard links are broken, each name is transformed once`(request: Request) throws {
    let expected = try once(request)
    try scratch.write(photo, to: "tree/a.jpg")
    for name in ["b", "c"] { try scratch.hardLink("tree/\(name).jpg", to: "tree/a.jpg") }
    let run = FileRun(request: request, jobs: 4).with(\.policy.breaksHardLinks, true)
    let tree = scratch.path("tree")
    let result = try run.rewrite(tree, tree + "/a.jpg", tree + "/./b.jpg")
    #expect(result.verdict == .done && result.reports.count == 3)
    #expect(result.ignored == [.duplicate: 2])
    for name in ["a", "b", "c"] { #expect(try scratch.read("tree/\(name).jpg") == expected) }
  }

  @Test func `An output directory has a file for each name, and none twice`() throws {
    let expected = try once(.rotate90)
    try scratch.write(photo, to: "tree/a.jpg")
    try scratch.link("tree/b.jpg", to: "a.jpg")
    let run = rotation.with(\.output, .folder(scratch.path("out")))
    let result = try run.rewrite(scratch.path("tree"), scratch.path("tree/a.jpg"))
    #expect(result.statuses == [.rotated, .rotated])
    #expect(result.ignored == [.duplicate: 1])
    for name in ["a", "b"] { #expect(try scratch.read("out/\(name).jpg") == expected) }
    #expect(try scratch.read("tree/a.jpg") == photo)
  }

  @Test func `An undo processes a file once, too`() throws {
    try scratch.write(photo, to: "tree/a.jpg")
    try scratch.link("tree/b.jpg", to: "a.jpg")
    let tree = scratch.path("tree")
    let run = rotation.with(\.record, scratch.path("record"))
    #expect(try run.rewrite(tree).verdict == .done)
    let result = try run.undo(tree, tree + "/a.jpg")
    #expect(result.statuses == [.restored])
    #expect(result.ignored == [.duplicate: 2])
    #expect(try scratch.read("tree/a.jpg") == photo)
  }

  @Test func `Links to one file belong to one part of a shard`() throws {
    try scratch.write(photo, to: "elsewhere/a.jpg")
    for number in 0..<20 { try scratch.link("tree/\(number).jpg", to: "../elsewhere/a.jpg") }
    let expected = try once(.rotate90)
    for part in 0..<4 {
      let run = rotation.with(\.shard, Shard(index: part, count: 4))
      #expect(try run.rewrite(scratch.path("tree")).verdict == .done)
    }
    #expect(try scratch.read("elsewhere/a.jpg") == expected)
  }

  @Test func `Hard links that are named are broken, each name once, and restored so`() throws {
    let expected = try once(.normalize())
    try scratch.write(photo, to: "c.jpg")
    try scratch.hardLink("h.jpg", to: "c.jpg")
    let names = ["c.jpg", "h.jpg"]
    let files = names.map { scratch.path($0) }
    let run = FileRun().with(\.record, scratch.path("record"))
    let breaking = run.with(\.policy.breaksHardLinks, true)
    #expect(try breaking.rewrite(files + files).verdict == .done)
    for name in names { #expect(try scratch.read(name) == expected) }
    #expect(try breaking.undo(files).verdict == .done)
    for name in names { #expect(try scratch.read(name) == photo) }
    // Two names of one result.
    #expect(try run.rewrite(files[0]).verdict == .done)
    try scratch.remove("h.jpg")
    try scratch.hardLink("h.jpg", to: "c.jpg")
    #expect(try breaking.undo(files).verdict == .done)
    for name in names { #expect(try scratch.read(name) == photo) }
  }
}
