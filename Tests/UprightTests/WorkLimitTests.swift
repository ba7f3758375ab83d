import Fixtures
import Testing
import Upright

/// Work that ends before it is done.
struct WorkLimitTests {
  private static let fixtures = [
    "sample/portrait.jpg", "orientation/unaligned-7.jpg", "coding/progressive-script.jpg",
    "multi-picture/gain-map-mm.jpg",
  ]

  @Test(arguments: fixtures)
  func `However little time there is, a result is whole or there is none`(path: String) throws {
    let bytes = try Fixture.bytes(path)
    let whole = try Normalizer().normalize(bytes).rewritten()
    var normalizer = Normalizer()
    var (wholes, failures) = (0, 0)
    for step in 0..<60 {
      // From nothing to ten seconds, a third more each time.
      normalizer.options.timeLimit = step == 0 ? .zero : .microseconds(1 << (step / 3) + step)
      do throws(UprightError) {
        guard case .rewritten(let rewrite) = try normalizer.normalize(bytes) else {
          Issue.record("not rewritten")
          return
        }
        #expect(rewrite.bytes == whole.bytes)
        #expect(rewrite.changes == whole.changes)
        #expect(rewrite.undo == whole.undo)
        wholes += 1
      } catch {
        #expect(error.code == .timeLimit)
        failures += 1
      }
    }
    #expect(wholes > 0 && failures > 0)
  }

  @Test(arguments: fixtures)
  func `A cancelled task has no result`(path: String) async throws {
    let bytes = try Fixture.bytes(path)
    let task = Task { () -> UprightError? in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do throws(UprightError) {
        _ = try Normalizer().normalize(bytes)
        return nil
      } catch {
        return error
      }
    }
    let error = await task.value
    #expect(error?.code == .cancelled)
    #expect(error?.fault == .work)
  }

  @Test func `A cancelled task gets a right verdict, for a check does not stop halfway`()
    async throws
  {
    let original = try Fixture.bytes("sample/portrait.jpg")
    let result = try Normalizer().normalize(original).rewritten().bytes
    let isProven = await Task { () -> Bool in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return (try? Verifier().verify(original: original, result: result).isProven) ?? false
    }.value
    #expect(isProven)
  }

  @Test func `A file of more bytes than the limit is refused before it is looked at`() throws {
    var options = Options()
    options.maxBytes = 10
    #expect(throws: UprightError(.limit, "the file has 11 bytes, more than the limit of 10")) {
      try Normalizer(options: options).normalize([UInt8](repeating: 0, count: 11))
    }
  }

  @Test(arguments: [
    ("bad/text.jpg", UprightError.Code.notJPEG), ("bad/empty.jpg", .empty),
    ("bad/cut-in-scan.jpg", .truncated), ("bad/garbled-scan.jpg", .damagedScan),
  ])
  func `A damaged file is the file's fault`(path: String, code: UprightError.Code) throws {
    let error = #expect(throws: UprightError.self) {
      try Normalizer().normalize(Fixture.bytes(path))
    }
    #expect(error?.code == code)
    #expect(error?.fault == .file)
  }

  @Test func `What went wrong for another reason is not`() {
    for code in [UprightError.Code.verification, .outOfMemory, .timeLimit, .cancelled] {
      #expect(UprightError(code, "").fault == .work)
    }
    #expect(UprightError(UprightError.Code(rawValue: "new"), "").fault == .work)
  }
}
