import FaultInjection
import FileSystem
import Fixtures
import PhotoFiles
import Reports
import SystemPackage
import Testing
import Upright

/// A photo with sidecars and a record, where every system call fails in turn.
struct FaultTests {
  enum Work: CaseIterable {
    case rewrite, undo
  }

  /// What happens to a call.
  private enum Way {
    /// It fails.
    case once
    /// It is made, and its answer is lost.
    case lostAnswer
    /// It fails, and so does each call after it: for the files, as if the process was killed.
    case lasting
  }

  private struct Fault {
    var way: Way
    var error: Errno
    var number: Int

    static let kinds: [(way: Way, error: Errno)] = [
      (.once, .ioError), (.once, .noSpace), (.lostAnswer, .ioError), (.lasting, .ioError),
      (.lasting, .noSpace),
    ]

    /// Makes the call fail while `body` runs.
    ///
    /// - Returns: Whether there was such a call.
    func inject(into body: () -> Void) -> Bool {
      let calls = CallCounter()
      let (way, error, number) = (way, error, number)
      probing(
        outcome: { _ in
          let call = calls.next()
          guard way == .lasting ? call >= number : call == number else { return nil }
          return way == .lostAnswer ? .lostAnswer(error) : .failure(error)
        },
        body
      )
      return calls.value > number
    }
  }

  private typealias Files = [String: [UInt8]]

  private let scratch: Scratch
  private let run: FileRun

  init() throws {
    scratch = try Scratch()
    run = FileRun(record: scratch.path("record"))
  }

  private var folder: String { scratch.path("tree") }

  /// The files of the folder, temporary ones too.
  private func files() throws -> Files {
    try scratch.contents().filter { $0.key != "tree" && $0.key != "record" }
  }

  private func write(_ files: Files, record: [UInt8]?) throws {
    for name in ["tree", "record"] where scratch.exists(name) { try scratch.remove(name) }
    for (name, bytes) in files { try scratch.write(bytes, to: name) }
    if let record { try scratch.write(record, to: "record") }
  }

  private static let sidecars = [
    ("tree/a.xmp", Sidecars.packet(6)), ("tree/a.jpg.xmp", Sidecars.packet(6, width: 96)),
    ("tree/a.jgw", Sidecars.worldFile),
  ]

  @Test(arguments: Work.allCases, 1...3)
  func `Whichever call fails, each file is old or new, and the next run completes the rest`(
    work: Work,
    count: Int
  ) throws {
    let original = Files(uniqueKeysWithValues: Self.sidecars.prefix(count))
      .merging(["tree/a.jpg": try Fixture.bytes(rotatedFixture)]) { $1 }
    try write(original, record: nil)
    #expect(try run.rewrite(folder).verdict == .done)
    let rewritten = try files()
    #expect(rewritten.allSatisfy { original[$0.key] != $0.value })
    let record = try scratch.read("record")
    let (old, new) = work == .rewrite ? (original, rewritten) : (rewritten, original)

    for (index, kind) in Fault.kinds.enumerated() {
      // By day some of the calls, others for each kind and number of sidecars.
      let step = Effort.isExhaustive ? 1 : 23
      for number in stride(from: (3 * index + count) % step, to: .max, by: step) {
        let fault = Fault(way: kind.way, error: kind.error, number: number)
        try write(old, record: work == .rewrite ? nil : record)
        var result: Result<FileReports, any Error>?
        let isMade = fault.inject { result = Result { try perform(work) } }
        guard isMade else {
          #expect(number > 20, "\(kind)")
          break
        }
        try check(result?.get, old, new, "\(fault)")
        #expect(try perform(work).verdict == .done, "\(fault)")
        #expect(try files() == new, "\(fault), then again")
        if work == .rewrite {
          #expect(try run.undo(folder).verdict == .done, "\(fault)")
          #expect(try files() == original, "\(fault), then undone")
        }
      }
    }
  }

  private func perform(_ work: Work) throws -> FileReports {
    switch work {
    case .rewrite: try run.rewrite(folder)
    case .undo: try run.undo(folder)
    }
  }

  /// Checks that each file is the old or the new one, and that what is said of it is true.
  private func check(
    _ reports: (() throws -> FileReports)?,
    _ old: Files,
    _ new: Files,
    _ fault: String
  ) throws {
    let now = try files()
    for name in old.keys {
      #expect(now[name] == old[name] || now[name] == new[name], "\(fault): \(name)")
    }
    // The record could not be opened.
    guard let reports = try? reports?() else { return #expect(now == old, "\(fault)") }
    for report in reports.reports where report.path.string.hasSuffix("a.jpg") {
      let photo = now["tree/a.jpg"]
      switch report.status {
      case .failed where report.error?.code.rawValue == "outcome-unknown": break
      case .failed where !report.isUnconfirmed, .skipped, .interrupted:
        #expect(photo == old["tree/a.jpg"], "\(fault): \(report.status)")
      default: #expect(photo == new["tree/a.jpg"], "\(fault): \(report.status)")
      }
      for companion in report.companions where companion.isDone {
        let name = "tree/" + (companion.path.lastComponent?.string ?? "")
        #expect(now[name] == new[name], "\(fault): \(companion)")
      }
    }
  }
}
