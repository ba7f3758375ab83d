import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Work that ends before it is done.
struct WorkLimitTests {
  private static let fixtures = [
    "sample/portrait.jpg", "orientation/unaligned-7.jpg", "coding/progressive-script.jpg",
    "multi-picture/gain-map-mm.jpg",
  ]

  @Test(arguments: fixtures)
  func `With any time limit, a result is complete or there is none`(path: String) throws {
    let bytes = try Fixture.bytes(path)
    let whole = try Rewriter().rewrite(bytes).rewritten()
    var rewriter = Rewriter()
    var (wholes, failures) = (0, 0)
    for step in 0..<60 {
      // From nothing to ten seconds, a third more each time.
      rewriter.options.timeLimit = step == 0 ? .zero : .microseconds(1 << (step / 3) + step)
      do throws(UprightError) {
        guard case .rewritten(let rewrite) = try rewriter.rewrite(bytes) else {
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
        _ = try Rewriter().rewrite(bytes)
        return nil
      } catch {
        return error
      }
    }
    let error = await task.value
    #expect(error?.code == .cancelled)
    #expect(error?.cause == .work)
  }

  @Test(arguments: fixtures)
  func `Work that is cancelled from another thread has no result`(path: String) throws {
    let bytes = try Fixture.bytes(path)
    let cancellation = WorkLimit.Cancellation()
    func normalize() -> UprightError? {
      do throws(UprightError) {
        _ = try Options().limited(by: cancellation) { () throws(UprightError) in
          try Rewriter().rewrite(bytes)
        }
        return nil
      } catch {
        return error
      }
    }
    #expect(normalize() == nil)
    cancellation.cancel()
    #expect(normalize()?.code == .cancelled)
  }

  @Test func `A cancelled task gets a correct verdict, because a comparison is not stopped`()
    async throws
  {
    let original = try Fixture.bytes("sample/portrait.jpg")
    let result = try Rewriter().rewrite(original).rewritten().bytes
    let isProven = await Task { () -> Bool in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return (try? Verifier().verify(original: original, result: result).findings.isEmpty) ?? false
    }.value
    #expect(isProven)
  }

  @Test func `A file of more bytes than the limit is refused before it is read`() throws {
    var options = Options()
    options.maxBytes = 10
    #expect(
      throws: UprightError(
        .limit,
        "the file has 11 bytes, more than the limit of 10",
        remedies: [.limit("max-bytes")]
      )
    ) {
      try Rewriter(options: options).rewrite([UInt8](repeating: 0, count: 11))
    }
  }

  @Test func `A plan that rewrites the file checks the limits of size and memory`() throws {
    var options = Options()
    func plan(_ path: String, _ size: Int?) throws -> Plan {
      let file = try Fixture.bytes(path)
      return try self.plan(of: file, size, Rewriter(options: options))
    }
    let (transformed, upright) = ("orientation/aligned-6.jpg", "orientation/aligned-1.jpg")
    let decoding = try plan(transformed, nil).estimatedMemory
    #expect(try plan(transformed, 1_000_000).estimatedMemory == decoding + 4_000_000)
    #expect(try plan(transformed, .max).estimatedMemory > 1 << 60)
    options.maxMemory = 100_000_000
    #expect(try plan(transformed, 1_000_000).action.rewrites)
    guard case .skip(let reason) = try plan(transformed, 30_000_000).action else {
      Issue.record("the file has no room in memory")
      return
    }
    #expect(reason.code == .memoryLimit)
    options.maxBytes = 1000
    #expect(throws: UprightError.self) { try plan(transformed, 1001) }
    #expect(try plan(transformed, 1000).action.rewrites)
    #expect(try !plan(upright, 1001).action.rewrites)
  }

  /// Plans for a file of a size that it only claims to have.
  private func plan(of file: [UInt8], _ size: Int?, _ rewriter: Rewriter) throws -> Plan {
    try rewriter.plan(size: size) { (offset, count) in
      Array(file.dropFirst(offset).prefix(count))
    }
  }

  @Test func `A change of the tag checks the limits of size and memory`() throws {
    let file = try Fixture.bytes("orientation/aligned-6.jpg")
    var rewriter = Rewriter(.tag(.set(.down)))
    func plan(_ size: Int) throws -> Plan {
      try self.plan(of: file, size, rewriter)
    }
    #expect(try plan(1000).estimatedMemory == 4000)
    rewriter.options.maxMemory = 3999
    #expect(try !plan(1000).action.rewrites)
    rewriter.options.maxBytes = 999
    #expect(throws: UprightError.self) { try plan(1000) }
    #expect(throws: UprightError.self) { try rewriter.rewrite(file) }
  }

  @Test func `A header without an end is not searched for in the whole file`() throws {
    var reads = 0
    let error = #expect(throws: UprightError.self) {
      try Rewriter().plan { (offset, count) in
        reads += count
        return [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: count - 3)
      }
    }
    #expect(error?.code == .limit)
    #expect(reads < 256 << 20)
  }

  @Test(arguments: [
    ("bad/text.jpg", UprightError.Code.notJPEG), ("bad/empty.jpg", .empty),
    ("bad/cut-in-scan.jpg", .truncated), ("bad/garbled-scan.jpg", .damagedScan),
  ])
  func `The cause of the error of a damaged file is the file`(
    path: String,
    code: UprightError.Code
  ) throws {
    let error = #expect(throws: UprightError.self) {
      try Rewriter().rewrite(Fixture.bytes(path))
    }
    #expect(error?.code == code)
    #expect(error?.cause == .file)
  }

  @Test func `Every code has the cause that servers rely on`() {
    let causes: [UprightError.Cause: Set<String>] = [
      .file: [
        "empty", "not-jpeg", "not-heif", "unsupported", "truncated", "malformed", "damaged-scan",
        "limit", "decoder-failed", "not-image",
      ],
      .request: [
        "outside-image", "empty-crop", "unaligned-edge", "unknown-option", "unknown-value",
        "argument",
      ],
      .work: ["time-limit", "cancelled", "out-of-memory", "verification"],
    ]
    let known = UprightError.Code.Known.allCases.map(\.rawValue)
    #expect(Set(known) == causes.values.reduce([]) { $0.union($1) })
    for (cause, codes) in causes {
      for code in codes {
        #expect(UprightError(UprightError.Code(rawValue: code), "").cause == cause, "\(code)")
      }
    }
    #expect(UprightError(UprightError.Code(rawValue: "new"), "").cause == .work)
  }

  @Test func `Every code has the status that clients expect`() {
    let statuses = [
      400: ["unknown-option", "unknown-value", "argument"],
      413: ["limit"],
      415: ["empty", "not-image", "not-jpeg", "not-heif", "unsupported"],
      422: [
        "truncated", "malformed", "damaged-scan", "decoder-failed", "outside-image", "empty-crop",
        "unaligned-edge",
      ],
      500: ["verification", "new"],
      503: ["time-limit", "cancelled", "out-of-memory"],
    ]
    let known = UprightError.Code.Known.allCases.map(\.rawValue)
    #expect(Set(statuses.values.joined()) == Set(known + ["new"]))
    for (status, codes) in statuses {
      for code in codes {
        let error = UprightError(UprightError.Code(rawValue: code), "")
        #expect(error.httpStatus == status, "\(code)")
      }
    }
  }
}
