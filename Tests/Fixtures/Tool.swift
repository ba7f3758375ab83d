package import Foundation
import Synchronization

/// A program that has ended, and its output.
package struct Tool: Sendable {
  package var status: Int32
  /// The signal that ended it, if one did; the status means nothing then.
  package var signal: Int32?
  package var output: [UInt8]
  package var errorOutput: [UInt8]

  /// Standard output as text.
  package var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard error as text.
  package var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

  /// The error if a program that a test requires fails.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
  }

  /// Runs a program of the search path and waits for its end.
  package static func run(
    _ name: String,
    _ arguments: [String],
    input: [UInt8] = []
  ) throws -> Tool {
    guard let place = place(of: name) else { throw Failure("\(name) is not installed") }
    return try run(place, arguments, input: input)
  }

  /// Where programs of the search path are.
  private static let places = Mutex<[String: URL]>([:])

  private static func place(of name: String) -> URL? {
    if let place = places.withLock({ $0[name] }) { return place }
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let paths = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
    let path = paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let place = path.map({ URL(filePath: $0) }) else { return nil }
    places.withLock { $0[name] = place }
    return place
  }

  /// Runs the program at `url` and waits for its end.
  ///
  /// - Parameters:
  ///   - url: The program.
  ///   - arguments: Its arguments.
  ///   - input: What it reads from standard input.
  ///   - environment: Variables that it gets besides those of the tests.
  ///   - preloaded: A library that it loads before all others but those that the tests themselves load so.
  ///   - started: Called while it runs, with its process identifier.
  /// - Returns: The program after its end.
  /// - Throws: The error of Foundation if it cannot be started.
  package static func run(
    _ url: URL,
    _ arguments: [String],
    input: [UInt8] = [],
    environment: [String: String] = [:],
    preloaded: String? = nil,
    started: (_ process: Int32) -> Void = { _ in }
  ) throws -> Tool {
    let scratch = try Scratch(in: Scratch.memory)
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
    started(process.processIdentifier)
    process.waitUntilExit()
    for stream in streams { try stream.close() }
    let isKilled = process.terminationReason == .uncaughtSignal
    return Tool(
      status: process.terminationStatus,
      signal: isKilled ? process.terminationStatus : nil,
      output: try scratch.read("out"),
      errorOutput: try scratch.read("error")
    )
  }

  /// The output of a program of libjpeg's that must succeed; a warning is an error.
  private func requireSuccess(_ what: String) throws -> [UInt8] {
    guard status == 0 || warnsOfStrayBytes else { throw Failure("\(what): \(errorText)") }
    return output
  }

  /// Whether libjpeg warns of bytes that belong to nothing, and of nothing else.
  private var warnsOfStrayBytes: Bool {
    status == 2 && errorText.hasPrefix("Corrupt JPEG data: ")
      && errorText.contains(" extraneous bytes before marker 0x")
      && errorText.count(where: \.isNewline) == 1
  }

  /// The pixels that djpeg decodes, as PPM or PGM; a warning is an error, except one of stray bytes.
  package static func djpeg(_ jpeg: [UInt8]) throws -> [UInt8] {
    try run("djpeg", ["-dct", "int", "-pnm"], input: jpeg).requireSuccess("djpeg")
  }

  /// Returns the output of jpegtran for an image, without its metadata.
  package static func jpegtran(_ jpeg: [UInt8], _ options: [String]) throws -> [UInt8] {
    try run("jpegtran", ["-copy", "none"] + options, input: jpeg).requireSuccess("jpegtran")
  }

  /// The options of jpegtran for a transform, named as in the manifest.
  package static func jpegtranOptions(_ transform: String) -> [String] {
    switch transform {
    case "none": []
    case "flip-horizontal": ["-flip", "horizontal"]
    case "flip-vertical": ["-flip", "vertical"]
    case "transpose", "transverse": ["-" + transform]
    default: ["-rotate", String(transform.drop { !$0.isNumber })]
    }
  }
}
