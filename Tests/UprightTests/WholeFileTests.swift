import Fixtures
import ImageFormats
import ImageOrientation
import Testing
import Upright

/// Plans and audits of files in memory are those that are read piece by piece.
struct WholeFileTests {
  @Test(arguments: Fixture.all)
  func `The plan of a file in memory is that of its header`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    func read(_ offset: Int, _ count: Int) -> [UInt8] {
      Array(bytes.dropFirst(offset).prefix(count))
    }
    let rewriter = Rewriter()
    let whole = Result { try rewriter.plan(bytes) }
    let pieces = Result { try rewriter.plan(size: bytes.count, reading: read) }
    switch (whole, pieces) {
    case (.success(let whole), .success(let pieces)):
      #expect(whole.action == pieces.action && whole.changes == pieces.changes)
      #expect(whole.notes == pieces.notes && whole.estimatedMemory == pieces.estimatedMemory)
      var (facts, read) = (
        try rewriter.audit(bytes).facts, try rewriter.audit(size: bytes.count, reading: read).facts
      )
      // It is known only of files that are read to the end.
      (facts.trailingBytes, read.trailingBytes) = (nil, nil)
      #expect(facts == read)
    case (.failure(let whole), .failure(let pieces)):
      #expect(whole as? UprightError == pieces as? UprightError)
    default: Issue.record("one of the two is an error: \(whole), \(pieces)")
    }
  }

  @Test(arguments: Fixture.all)
  func `The plan from a header is the plan from the whole file, and is executed as it is`(
    fixture: Fixture
  ) throws {
    let bytes = try fixture.bytes()
    func read(_ offset: Int, _ count: Int) -> [UInt8] {
      Array(bytes.dropFirst(offset).prefix(count))
    }
    for rewriter in [Rewriter(), Rewriter(.normalize(then: .rotate90))] {
      guard
        let planned = try? rewriter.planned(
          size: bytes.count,
          taking: [.jpeg],
          reading: read
        ),
        let same = try? rewriter.plan(bytes)
      else { continue }
      let plan = planned.plan
      #expect(plan.action == same.action && plan.changes == same.changes)
      #expect(plan.notes == same.notes && plan.regions == same.regions)
      #expect(plan.registeredData == same.registeredData)
      #expect(plan.embeddedImages == same.embeddedImages)
      #expect(plan.estimatedMemory == same.estimatedMemory)
      let executed = Result { try rewriter.rewrite(bytes, as: planned) }
      switch (executed, Result { try rewriter.rewrite(bytes) }) {
      case (.success(.rewritten(let first)), .success(.rewritten(let second))):
        #expect(first.bytes == second.bytes && first.changes == second.changes)
        #expect(first.plan.notes == second.plan.notes && first.undo == second.undo)
      case (.success(let first), .success(let second)):
        #expect(first.plan.action == second.plan.action && first.plan.notes == second.plan.notes)
      case (.failure(let first), .failure(let second)):
        #expect(first as? UprightError == second as? UprightError)
      default: Issue.record("only one of the two is rewritten")
      }
    }
  }

  @Test(
    arguments: Fixture.all.map { ($0.path, Request.normalize()) } + [
      ("formats/rotated.avif", .normalize()), ("formats/exif.png", .tag(.set(.left))),
    ]
  )
  func `An arriving file says how many bytes its plan needs`(
    path: String,
    request: Request
  ) throws {
    let bytes = try Fixture.bytes(path)
    let rewriter = Rewriter(request)
    let whole = Result { try rewriter.plan(bytes) }
    for size in [bytes.count, nil] {
      let plan = Result { try planOnArrival(of: bytes, size, rewriter) }
      switch (whole, plan) {
      case (.success(let whole), .success(let plan)):
        // Without the size, what follows the image of a JPEG file is unknown.
        if size == nil, !whole.registeredData.isEmpty { continue }
        #expect(plan.action == whole.action && plan.changes == whole.changes)
        if size != nil { #expect(plan.notes == whole.notes) }
      case (.failure(let whole), .failure(let error)):
        #expect(whole as? UprightError == error as? UprightError)
      default: Issue.record("one of the two is an error: \(whole), \(plan)")
      }
    }
  }

  /// Gives a plan exactly the bytes that it asks for, and its size when the file has ended.
  private func planOnArrival(
    of file: [UInt8],
    _ size: Int?,
    _ rewriter: Rewriter
  ) throws -> Plan {
    var count = 0
    while true {
      let beginning = Array(file.prefix(count))
      let known = count >= file.count ? file.count : size
      switch try rewriter.plan(beginning: beginning, size: known) {
      case .plan(let plan): return plan
      case .needs(let needed):
        try #require(needed > count)
        if size != nil { #expect(needed <= file.count) }
        count = needed
      }
    }
  }

  @Test func `A plan is not executed for another file`() throws {
    let photo = try JPEGPhoto(leading: Fixture.bytes("sample/portrait.jpg"))
    let other = try Fixture.bytes("multi-picture/apple.jpg")
    let isOther = try photo.completed(with: other) == nil
    #expect(isOther)
  }

  @Test(arguments: ["sample/portrait.jpg", "bad/soi-only.jpg", "multi-picture/apple.jpg"])
  func `Damage of the header is one error, however the file is read`(fixture: String) throws {
    let bytes = try Fixture.bytes(fixture)
    var generator = SeededGenerator(seed: 5)
    let cut = (0..<min(bytes.count, 3_000)).map { Array(bytes[..<$0]) }
    let changed = (0..<1_000).map { _ in
      Array(bytes.prefix(1_000)).damaged(using: &generator) + bytes.dropFirst(1_000)
    }
    var errors = 0
    for file in cut + changed {
      func read(_ offset: Int, _ count: Int) -> [UInt8] {
        Array(file.dropFirst(offset).prefix(count))
      }
      let planned = error { try Rewriter().plan(size: file.count, reading: read) }
      guard let planned else { continue }
      errors += 1
      #expect(error { try Rewriter().rewrite(file) } == planned)
      #expect(error { try Rewriter(.tag(.set(.up))).rewrite(file) } == planned)
    }
    #expect(errors > 0)
  }

  private func error(_ work: () throws -> some Any) -> UprightError? {
    do {
      _ = try work()
      return nil
    } catch { return error as? UprightError }
  }

  @Test func `A crop and a tag are planned for a file in memory`() throws {
    let bytes = try Fixture.bytes("sample/portrait.jpg")
    let rectangle = PixelRectangle(x: 40, y: 60, width: 200, height: 150)
    let crop = try Rewriter(.crop(rectangle, snapping: .shrink)).plan(bytes)
    #expect(try Rewriter(.crop(rectangle, snapping: .shrink)).rewrite(bytes).plan.crop == crop.crop)
    #expect(try Rewriter(.tag(.set(.up))).plan(bytes).action == .changeTag(.up))
  }

  @Test func `A file that ends in its header is truncated`() throws {
    let bytes = try Fixture.bytes("sample/portrait.jpg")
    let error = #expect(throws: UprightError.self) { try Rewriter().plan(Array(bytes[..<600])) }
    #expect(error?.code == .truncated)
  }

  @Test func `A file above the size limit has no plan`() throws {
    var options = Options()
    options.maxBytes = 100
    let bytes = try Fixture.bytes("sample/portrait.jpg")
    let error = #expect(throws: UprightError.self) { try Rewriter(options: options).plan(bytes) }
    #expect(error?.code == .limit)
  }
}
