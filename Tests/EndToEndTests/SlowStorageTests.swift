import Fixtures
import Foundation
import Testing

/// Storage that takes milliseconds for each request, as a network share does (tools/dev/faults/faults.c).
@Suite(
  .enabled(if: SlowStorage.library != nil, "no library can be preloaded: install a C compiler")
)
struct SlowStorageTests {
  @Test func `An audit keeps many requests in flight by default`() throws {
    let scratch = try Scratch()
    for number in 0..<400 { try scratch.copy(rotatedFixture, as: "tree/\(number).jpg") }
    func time(_ arguments: String...) throws -> Duration {
      let start = ContinuousClock.now
      let result = try Tool.run(
        uprightBinary,
        ["audit", scratch.path("tree")] + arguments,
        environment: ["UPRIGHT_SLOW": "5000"],
        preloaded: SlowStorage.library
      )
      #expect(result.status == 0)
      #expect(result.lines.last == "400 files: 400 to rotate")
      return ContinuousClock.now - start
    }
    // Two workers need at least four requests a file one after the other: four seconds.
    let (one, many) = (try time("-j", "2"), try time())
    #expect(many * 3 < one, "\(many) instead of \(one)")
  }

  @Test func `An interrupted verification says so, and ends between two pairs`() throws {
    let scratch = try Scratch()
    for number in 0..<200 {
      try scratch.copy(uprightFixture, as: "a/\(number).jpg")
      try scratch.copy(uprightFixture, as: "b/\(number).jpg")
    }
    let result = try Tool.run(
      uprightBinary,
      ["verify", "-j", "1", scratch.path("a"), scratch.path("b")],
      environment: ["UPRIGHT_SLOW": "5000"],
      preloaded: SlowStorage.library
    ) { process in
      Thread.sleep(forTimeInterval: 1.5)
      kill(process, SIGINT)
    }
    #expect(result.status == 130 && result.signal == nil)
    #expect(result.errorLines == ["interrupted"])
    #expect(!result.lines.isEmpty && result.lines.count < 200)
    #expect(result.lines.allSatisfy { $0.hasSuffix("identical bytes") })
  }

  #if os(Linux)
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
  func `The progress has a total from the walk of the work, for lists as well`() throws {
    let scratch = try Scratch()
    for number in 0..<60 { try scratch.copy(rotatedFixture, as: "tree/\(number).jpg") }
    let list = (0..<60).map { scratch.path("tree/\($0).jpg") + "\n" }.joined()
    let files = try scratch.write(Array(list.utf8), to: "list")
    for argument in [scratch.path("tree"), "--files-from \(files)"] {
      let command = "\(uprightBinary.path) audit -j 1 --format text \(argument)"
      let result = try Tool.run(
        URL(filePath: "/usr/bin/script"),
        ["-qec", command, "/dev/null"],
        environment: ["UPRIGHT_SLOW": "5000"],
        preloaded: SlowStorage.library
      )
      #expect(result.status == 0, "\(result.errorText)")
      #expect(result.text.contains(" of 60 files, "), "\(result.text.suffix(400))")
      #expect(result.text.contains("60 files: 60 to rotate"))
    }
  }
  #endif
}

enum SlowStorage {
  /// The library; nil where it cannot be built.
  static let library: String? = {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../tools/dev/faults/faults.c").standardized
    let built = FileManager.default.temporaryDirectory
      .appending(path: "upright-slow-\(ProcessInfo.processInfo.processIdentifier).so").path
    let compiler = try? Tool.compile(source, built)
    return compiler?.status == 0 ? built : nil
  }()
}
