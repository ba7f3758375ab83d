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
    let normalizer = Normalizer()
    let whole = Result { try normalizer.plan(bytes) }
    let pieces = Result { try normalizer.plan(size: bytes.count, read: read) }
    switch (whole, pieces) {
    case (.success(let whole), .success(let pieces)):
      #expect(whole.action == pieces.action && whole.changes == pieces.changes)
      #expect(whole.notes == pieces.notes && whole.estimatedMemory == pieces.estimatedMemory)
      let audit = try normalizer.audit(bytes)
      #expect(try audit.facts == normalizer.audit(size: bytes.count, read: read).facts)
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
    for normalizer in [Normalizer(), Normalizer(then: .rotate90)] {
      guard
        let planned = try? normalizer.rewriter.planned(
          size: bytes.count,
          taking: [.jpeg],
          reading: read
        ),
        let same = try? normalizer.plan(bytes)
      else { continue }
      let plan = planned.plan
      #expect(plan.action == same.action && plan.changes == same.changes)
      #expect(plan.notes == same.notes && plan.regions == same.regions)
      #expect(plan.registeredData == same.registeredData)
      #expect(plan.embeddedImages == same.embeddedImages)
      #expect(plan.estimatedMemory == same.estimatedMemory)
      let executed = Result { try normalizer.rewriter.rewrite(bytes, as: planned) }
      switch (executed, Result { try normalizer.normalize(bytes) }) {
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
      let planned = error { try Normalizer().plan(size: file.count, read: read) }
      guard let planned else { continue }
      errors += 1
      #expect(error { try Normalizer().normalize(file) } == planned)
      #expect(error { try TagEditor(.set(.up)).edit(file) } == planned)
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
    let crop = try Cropper().plan(bytes, to: rectangle, snapping: .shrink)
    #expect(try Cropper().crop(bytes, to: rectangle, snapping: .shrink).plan.crop == crop.crop)
    #expect(try TagEditor(.set(.up)).plan(bytes).action == .changeTag(.up))
  }

  @Test func `A file that ends in its header is truncated`() throws {
    let bytes = try Fixture.bytes("sample/portrait.jpg")
    let error = #expect(throws: UprightError.self) { try Normalizer().plan(Array(bytes[..<600])) }
    #expect(error?.code == .truncated)
  }

  @Test func `A file above the size limit has no plan`() throws {
    var options = Options()
    options.maxBytes = 100
    let bytes = try Fixture.bytes("sample/portrait.jpg")
    let error = #expect(throws: UprightError.self) { try Normalizer(options: options).plan(bytes) }
    #expect(error?.code == .limit)
  }
}
