import Fixtures
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
