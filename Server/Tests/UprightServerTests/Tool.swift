import Foundation

/// A program that has ended, and its output.
struct Tool: Sendable {
  var status: Int32
  var output: [UInt8]
  var errorText: String

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard output as lines.
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// The error if a program that a test requires fails.
  struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
  }

  /// Runs a program of the search path and waits for its end.
  static func run(_ name: String, _ arguments: [String], input: [UInt8] = []) throws -> Tool {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let path = folders.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let path else { throw Failure("\(name) is not installed") }
    return try run(URL(filePath: path), arguments, input: input)
  }

  /// Runs the program at `url` and waits for its end.
  ///
  /// - Parameters:
  ///   - url: The program.
  ///   - arguments: Its arguments.
  ///   - input: What it reads from standard input.
  ///   - environment: Variables that it gets besides those of the tests.
  ///   - preloaded: A library that it loads after those that the tests themselves load so.
  /// - Returns: The program after its end.
  /// - Throws: The error of Foundation if it cannot be started.
  static func run(
    _ url: URL,
    _ arguments: [String],
    input: [UInt8] = [],
    environment: [String: String] = [:],
    preloaded: String? = nil
  ) throws -> Tool {
    let scratch = try Scratch()
    try scratch.write(input, to: "in")
    // Files do not block, unlike full pipes.
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let preloaded {
      let libraries = [variables["LD_PRELOAD"], preloaded].compactMap { $0 }
      variables["LD_PRELOAD"] = libraries.joined(separator: ":")
    }
    process.environment = variables
    process.standardInput = try FileHandle(forReadingFrom: scratch.url.appending(path: "in"))
    let streams = try ["out", "error"].map { name in
      try scratch.write([], to: name)
      return try FileHandle(forWritingTo: scratch.url.appending(path: name))
    }
    (process.standardOutput, process.standardError) = (streams[0], streams[1])
    try process.run()
    process.waitUntilExit()
    for stream in streams { try stream.close() }
    return Tool(
      status: process.terminationStatus,
      output: try scratch.read("out"),
      errorText: String(decoding: try scratch.read("error"), as: UTF8.self)
    )
  }
}

/// The command, which is next to the test bundle, as is the program that it starts.
var uprightBinary: URL { builtFolder.appending(path: "upright") }

/// The folder of what was built.
var builtFolder: URL {
  (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
    .deletingLastPathComponent()
}
