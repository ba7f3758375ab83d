import Fixtures
import Foundation

/// The library that makes system calls of the command fail (tools/dev/faults/faults.c).
enum FaultLibrary {
  /// The built library, or why faults cannot be injected here.
  static let file: Result<String, Tool.Failure> = {
    let result = Result { try build() }.mapError { Tool.Failure("\($0)") }
    if case .failure(let failure) = result { print("No system call fails: \(failure)") }
    return result
  }()

  /// Whether faults can be injected here.
  static var isUsable: Bool { (try? file.get()) != nil }

  private static func build() throws -> String {
    let library = uprightBinary.deletingLastPathComponent().appending(path: "upright-faults.so")
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../tools/dev/faults/faults.c").standardized
    // Another test process may have the former one open.
    let built = library.path + ".\(ProcessInfo.processInfo.processIdentifier)"
    let compiler = try Tool.compile(source, built)
    guard compiler.status == 0, unsafe rename(built, library.path) == 0 else {
      throw Tool.Failure(compiler.errorText)
    }
    let scratch = try Scratch()
    let photo = try scratch.copy(rotatedFixture)
    let log = scratch.path("log")
    _ = try Tool.run(
      uprightBinary,
      ["audit", photo],
      environment: ["UPRIGHT_FAULTS_TREE": scratch.url.path, "UPRIGHT_FAULTS_LOG": log],
      preloaded: library.path
    )
    guard try SystemCall.list(log).contains(where: { $0.name == "pread" }) else {
      throw Tool.Failure("LD_PRELOAD has no effect on \(uprightBinary.path)")
    }
    return library.path
  }

  /// Runs the command with a fault, or without one.
  ///
  /// - Parameters:
  ///   - arguments: The arguments; the calls are those of one job.
  ///   - tree: The folder whose calls are counted.
  ///   - fault: The fault.
  ///   - log: A file for the list of the calls.
  ///   - started: What is done while it runs, with the number of its process.
  /// - Returns: The command after its end.
  /// - Throws: `Tool.Failure`, where there is no library for a fault.
  static func run(
    _ arguments: [String],
    below tree: URL,
    fault: Fault? = nil,
    log: String? = nil,
    started: (_ process: Int32) -> Void = { _ in }
  ) throws -> Tool {
    var environment = ["SWIFT_DETERMINISTIC_HASHING": "1", "SOURCE_DATE_EPOCH": "0"]
    var library: String?
    if isUsable || fault != nil {
      library = try file.get()
      environment["UPRIGHT_FAULTS_TREE"] = tree.path
      environment["UPRIGHT_FAULTS_OUTPUT"] = "1"
      environment["UPRIGHT_FAULTS_LOG"] = log
      environment["UPRIGHT_FAULT"] = fault?.instruction
      // A sanitizer that looks for leaks writes to pipes, where it would meet the fault.
      let options = ProcessInfo.processInfo.environment["ASAN_OPTIONS"]
      environment["ASAN_OPTIONS"] = options.map { $0 + ":detect_leaks=0" }
    }
    return try Tool.run(
      uprightBinary,
      arguments,
      environment: environment,
      preloaded: library,
      started: started
    )
  }
}

/// A system call that the command made on something of the test.
struct SystemCall: Hashable, Sendable {
  /// Which one it was of those of the same name on the same file, from 1.
  ///
  /// Its position among all calls depends on how fast the machine is, because files are processed in groups that take
  /// some milliseconds, and directories are listed when the next file is needed.
  var number: Int
  /// The call, such as `write`.
  var name: String
  /// The last component of the path that it was about, where the random part of a temporary name is `xxxxxx`.
  var file: String

  /// Reads the list of a run.
  static func list(_ log: String) throws -> [SystemCall] {
    guard let data = FileManager.default.contents(atPath: log) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 3, let number = Int(fields[0]) else { return nil }
      return SystemCall(number: number, name: String(fields[1]), file: String(fields[2]))
    }
  }

  /// Whether it is about what the command prints.
  var isOutput: Bool { file == "standard output" }

  /// Whether it writes about several files at once; on a fast machine there are fewer such calls.
  var isGrouped: Bool { name == "write" }

  /// Whether it changes something on the disk.
  var changes: Bool { needsRoom || Self.changing.contains(name) }
  /// Whether it fails on a full disk.
  var needsRoom: Bool { ["write", "link", "mkdir", "fsetxattr"].contains(name) || isCreation }
  private var isCreation: Bool { name == "open" && file.hasSuffix(".tmp") }

  private static let changing: Set = [
    "fsync", "rename", "renameat2", "unlink", "fchown", "fchmod", "futimens", "fremovexattr",
    "ftruncate",
  ]
}

extension Tool {
  /// Compiles a library to preload, with the C compiler of the system or, where there is none, with Swift's.
  static func compile(_ source: URL, _ library: String) throws -> Tool {
    let arguments = ["-shared", "-fPIC", "-O1", "-o", library, source.path]
    return try (try? run("cc", arguments)) ?? run("clang", arguments)
  }
}
