import FileSystem
import Fixtures
import Foundation
import PhotoFiles
import PhotoFilesFoundation
import Records
import Reports
import Synchronization
import Testing
import Upright

/// The public functions on files.
struct FileRewriterTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func photo(_ name: String) throws -> URL {
    URL(filePath: try scratch.copy("orientation/aligned-6.jpg", as: name))
  }

  private var record: RecordedPath { RecordedPath(scratch.path("record")) }

  @Test func `A photo is rewritten with its sidecar, and both are restored`() throws {
    let url = try photo("a.jpg")
    let before = try scratch.write(Array(Self.packet(6).utf8), to: "a.xmp")
    let log = try RecordLog(at: record, tool: "test")
    let files = FileRewriter(record: log)
    let planned = try files.plan(url)
    #expect(planned.status == .planned && planned.rewrite == nil)
    #expect("\(planned)" == "\(url.path): rotate 90° clockwise, lossless (96×64 → 64×96)")
    #expect(planned.plan.map { "\($0)" } == "rotate 90° clockwise, lossless (96×64 → 64×96)")
    #expect(planned.companions.map(\.action) == [.update] && !planned.companions[0].isDone)
    let done = try files.rewrite(url)
    #expect(done.status == .normalized && done.rewrite?.undo != nil)
    #expect("\(done)" == "\(url.path): rotated 90° clockwise, lossless (96×64 → 64×96)")
    #expect(done.companions.map(\.isDone) == [true])
    #expect(done.companions[0].file.description == before)
    #expect(try String(decoding: scratch.read("a.xmp"), as: UTF8.self) == Self.packet(1))
    #expect(done.json.contains(#""action":"update","done":true"#))
    let restored = try files.restore(url, from: RecordIndex(of: record))
    #expect(restored.status == .restored)
    #expect(try scratch.read("a.jpg") == Fixture.bytes("orientation/aligned-6.jpg"))
    #expect(try String(decoding: scratch.read("a.xmp"), as: UTF8.self) == Self.packet(6))
  }

  @Test func `The rights of a file are kept`() throws {
    let url = try photo("a.jpg")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
    #expect(try FileRewriter().rewrite(url).status == .normalized)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func `An error is thrown, with its code`() throws {
    let missing = URL(filePath: scratch.path("none.jpg"))
    #expect { try FileRewriter().rewrite(missing) } throws: {
      ($0 as? UprightError)?.code == .notFound
    }
    let output = try photo("b.jpg")
    let url = try photo("a.jpg")
    #expect { try FileRewriter().rewrite(url, to: output) } throws: {
      ($0 as? UprightError)?.code == .exists
    }
    var policy = FilePolicy()
    policy.overwritesOutputs = true
    let result = try FileRewriter(policy: policy).rewrite(url, to: output)
    #expect(result.output?.description == output.path && result.status == .normalized)
    #expect(try scratch.read("a.jpg") == Fixture.bytes("orientation/aligned-6.jpg"))
  }

  @Test func `The photos of a folder are rewritten in their order, also where one fails`()
    async throws
  {
    for name in ["c/1.jpg", "c/2.jpg", "c/d/3.jpg"] { _ = try photo(name) }
    try scratch.write(Array("no photo".utf8), to: "c/2b.jpg")
    var names: [String] = []
    var statuses: [Status] = []
    for await result in FileRewriter().rewriting(below: RecordedPath(scratch.path("c"))) {
      names.append(String(result.path.description.suffix(6)))
      statuses.append(result.status)
    }
    #expect(names == ["/1.jpg", "/2.jpg", "2b.jpg", "/3.jpg"])
    #expect(statuses == [.normalized, .normalized, .failed, .normalized])
  }

  @Test func `The photos of a folder are planned, and nothing is written`() async throws {
    for name in ["c/1.jpg", "c/2.jpg"] { _ = try photo(name) }
    var statuses: [Status] = []
    let log = try RecordLog(at: record, tool: "test")
    for await result in FileRewriter(record: log).planning(below: URL(filePath: scratch.path("c")))
    {
      statuses.append(result.status)
    }
    #expect(statuses == [.planned, .planned])
    #expect(try scratch.read("c/1.jpg") == Fixture.bytes("orientation/aligned-6.jpg"))
    #expect(try RecordIndex(of: record).entries.isEmpty)
  }

  @Test func `The photos of a folder are restored, also after it was moved`() async throws {
    for name in ["c/1.jpg", "c/d/2.jpg"] { _ = try photo(name) }
    try scratch.write(Array(Self.packet(6).utf8), to: "c/1.xmp")
    try scratch.copy(uprightFixture, as: "c/3.jpg")
    func files() throws -> [String: [UInt8]] {
      try scratch.contents().filter { $0.key.hasPrefix("c/") }
    }
    let before = try files()
    let log = try RecordLog(at: record, tool: "test")
    for await _ in FileRewriter(record: log).rewriting(below: RecordedPath(scratch.path("c"))) {}
    #expect(try files().filter { before[$0.key] != $0.value }.count == 3)
    try FileManager.default.moveItem(atPath: scratch.path("c"), toPath: scratch.path("moved"))
    var statuses: [Status] = []
    let index = try RecordIndex(of: record)
    let moved = URL(filePath: scratch.path("moved"))
    for await result in FileRewriter().restoring(below: moved, from: index) {
      statuses.append(result.status)
    }
    #expect(statuses == [.restored, .unchanged, .restored])
    try FileManager.default.moveItem(atPath: scratch.path("moved"), toPath: scratch.path("c"))
    #expect(try files() == before)
  }

  @Test func `A loop that ends early ends the work`() async throws {
    for number in 0..<300 { _ = try photo("c/\(1000 + number).jpg") }
    for await result in FileRewriter().rewriting(below: RecordedPath(scratch.path("c")), jobs: 1) {
      #expect(result.status == .normalized)
      break
    }
    let original = try Fixture.bytes("orientation/aligned-6.jpg")
    #expect(try scratch.read("c/1000.jpg") != original)
    #expect(try scratch.read("c/1299.jpg") == original)
  }

  @Test func `Work that is ended before the last photo says so`() throws {
    for number in 0..<20 { _ = try photo("c/\(1000 + number).jpg") }
    let folder = RecordedPath(scratch.path("c"))
    let results = Mutex(0)
    let files = FileRewriter()
    func plan(upTo count: Int) -> Bool {
      files.forEach(.plan, below: folder, jobs: 1, isEnded: { results.withLock { $0 >= count } }) {
        _ in results.withLock { $0 += 1 }
      }
    }
    #expect(!plan(upTo: 3) && results.withLock { $0 } == 3)
    #expect(plan(upTo: .max) && results.withLock { $0 } == 23)
  }

  @Test func `A record that is emptied during the work is the last result`() async throws {
    for number in 0..<20 { _ = try photo("c/\(1000 + number).jpg") }
    let log = try RecordLog(at: record, tool: "test")
    var results: [FileResult] = []
    for await result in FileRewriter(record: log)
      .rewriting(below: RecordedPath(scratch.path("c")), jobs: 1)
    {
      if results.isEmpty {
        try FileHandle(forWritingTo: URL(filePath: record.description)).truncate(atOffset: 0)
      }
      results.append(result)
    }
    #expect(results.count == 21 && results.dropLast().allSatisfy { $0.error == nil })
    let last = try #require(results.last)
    #expect(last.path == record && last.error?.code.rawValue == "replaced")
    #expect(last.error?.message.contains("rewritten file") == true)
  }

  @Test func `Temporary files of killed runs are removed by what writes`() async throws {
    _ = try photo("c/a.jpg")
    let left = try scratch.write([1], to: "c/.a.jpg.upright-abc123.tmp")
    let folder = RecordedPath(scratch.path("c"))
    for await result in FileRewriter().planning(below: folder) { #expect(result.error == nil) }
    #expect(FileManager.default.fileExists(atPath: left))
    for await result in FileRewriter().rewriting(below: folder) { #expect(result.error == nil) }
    #expect(!FileManager.default.fileExists(atPath: left))
  }

  @Test func `A file is not restored from a record with damage in which its line may be`()
    async throws
  {
    let url = try photo("c/a.jpg")
    let log = try RecordLog(at: record, tool: "test")
    _ = try FileRewriter(record: log).rewrite(url)
    let line = try scratch.read("record")
    try scratch.write(line + Array("{}\n".utf8), to: "record")
    let index = try RecordIndex(of: record)
    let other = URL(filePath: try scratch.write([0xFF, 0xD8, 1], to: "c/b.jpg"))
    #expect { try FileRewriter().restore(other, from: index) } throws: {
      ($0 as? UprightError)?.code == .recordDamaged
    }
    var results: [FileResult] = []
    for await result in FileRewriter()
      .restoring(below: RecordedPath(scratch.path("c")), from: index)
    { results.append(result) }
    #expect(results.map(\.status) == [.failed, .restored, .unchanged])
    #expect(results.first?.path == record)
  }

  @Test func `A record is no output and no sidecar`() throws {
    let url = try photo("a.jpg")
    func expectRefusal(_ name: String, to output: String? = nil) throws {
      let files = FileRewriter(
        record: try RecordLog(at: RecordedPath(scratch.path(name)), tool: "test")
      )
      let output = output.map { URL(filePath: scratch.path($0)) }
      for work in [files.rewrite, files.plan] as [(URL, URL?) throws -> FileResult] {
        #expect { try work(url, output) } throws: {
          ($0 as? UprightError)?.code.rawValue == "argument"
        }
      }
    }
    try expectRefusal("a.xmp")
    try expectRefusal("out.jpg", to: "out.jpg")
    try expectRefusal("out.xmp", to: "out.jpg")
    #expect(try scratch.read("a.jpg") == Fixture.bytes("orientation/aligned-6.jpg"))
  }

  @Test func `A photo is restored alone if its sidecars are ignored`() throws {
    let url = try photo("a.jpg")
    try scratch.write(Array(Self.packet(6).utf8), to: "a.xmp")
    _ = try FileRewriter(record: RecordLog(at: record, tool: "test")).rewrite(url)
    try scratch.write(Array("changed".utf8), to: "a.xmp")
    let index = try RecordIndex(of: record)
    let skipped = try FileRewriter().restore(url, from: index)
    #expect(skipped.reason?.code.rawValue == "sidecar-changed")
    var policy = FilePolicy()
    policy.sidecars = .ignore
    #expect(try FileRewriter(policy: policy).restore(url, from: index).status == .restored)
    #expect(try scratch.read("a.xmp") == Array("changed".utf8))
  }

  @Test func `A path that is empty is named so`() throws {
    let url = try photo("a.jpg")
    func message(_ work: () throws -> FileResult) -> String {
      do { return try work().json } catch { return (error as? UprightError)?.message ?? "\(error)" }
    }
    #expect(message { try FileRewriter().rewrite("") }.contains("the path is empty"))
    let output = message { try FileRewriter().rewrite(RecordedPath(url), to: "") }
    #expect(output.contains("the path of the output is empty"))
    #expect { try RecordLog(at: "", tool: "test") } throws: {
      ($0 as? UprightError)?.message.contains("the path is empty") == true
    }
  }

  @Test func `The path of a URL has its exact bytes`() {
    let url = URL(filePath: "/photos/ä b%41.jpg")
    #expect(RecordedPath(url).bytes == Array("/photos/ä b%41.jpg".utf8))
    #expect(
      RecordedPath(URL(string: "file:///a/%FF.jpg")!).bytes == Array("/a/".utf8) + [0xFF]
        + Array(".jpg".utf8)
    )
  }

  /// An XMP packet with an Orientation.
  static func packet(_ orientation: Int) -> String {
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF"
      + " xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about=''"
      + " xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='\(orientation)'/>"
      + "</rdf:RDF></x:xmpmeta>"
  }
}
