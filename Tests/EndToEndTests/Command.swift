import Fixtures
import Foundation

/// The built binary, which is next to the test bundle.
var uprightBinary: URL {
  (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
    .deletingLastPathComponent().appending(path: "upright")
}

/// Runs the built binary.
///
/// - Parameters:
///   - arguments: The arguments.
///   - input: What it reads from standard input.
///   - outputPath: The file that is to be standard output; by default it is collected.
///   - directory: Its working directory; by default that of the tests.
/// - Returns: The program after its end.
/// - Throws: `Tool.Failure` where it is not built.
func upright(
  _ arguments: [String],
  input: [UInt8] = [],
  outputPath: String? = nil,
  in directory: String? = nil
) throws -> Tool {
  let binary = uprightBinary
  guard FileManager.default.isExecutableFile(atPath: binary.path) else {
    throw Tool.Failure("\(binary.path) is not built")
  }
  if let directory {
    let command = ["-c", "cd \"$0\" && exec \"$@\"", directory, binary.path]
    return try Tool.run("sh", command + arguments, input: input)
  }
  guard let outputPath else { return try Tool.run(binary, arguments, input: input) }
  let command = ["-c", "exec \"$@\" > \"$0\"", outputPath, binary.path]
  return try Tool.run("sh", command + arguments, input: input)
}

/// The fields of a line of NDJSON that the tests use.
struct Line: Decodable, Equatable {
  struct Reason: Decodable, Equatable {
    var id: String
    var text: String
    var remedies: [Remedy]?
  }

  struct Remedy: Decodable, Equatable {
    var policy: String?
    var value: String?
    var limit: String?
    var action: String?
    var text: String?
  }

  struct Change: Decodable, Equatable {
    var field: String
    var offset: Int
    var oldLength: Int
    var newLength: Int
  }

  struct Redraw: Decodable, Equatable {
    var psnr: Double?
    var sizeBefore: Int
    var sizeAfter: Int
  }

  struct Note: Decodable, Equatable {
    var id: String
    var text: String
    var remedies: [Remedy]?
  }

  struct RegisteredData: Decodable, Equatable {
    var kind: String
    var effect: String
  }

  struct Region: Decodable, Equatable {
    var kind: String
    var disposition: String
    var evidence: String
  }

  /// A file beside the photo.
  struct Companion: Decodable, Equatable {
    var path: String
    var kind: String
    var name: String
    var action: String
    var done: Bool
    var reason: String?
    var orientation: Int?
    var output: String?
    var error: Reason?
    var remedies: [Remedy]?
  }

  /// Returns what is said of the companion whose path ends with a name.
  func companion(_ name: String) -> Companion? {
    companions?.first { $0.path.hasSuffix("/" + name) }
  }

  var schema: String
  var path: String
  var status: String
  var output: String?
  var transform: String?
  var edges: String?
  var keptComponents: [Int]?
  var verification: String?
  var redraw: Redraw?
  var reason: Reason?
  var error: Reason?
  var width: Int?
  var height: Int?
  var orientation: Int?
  var size: Int?
  var companions: [Companion]?
  var warnings: [Note]?
  var registeredData: [RegisteredData]?
  var regions: [Region]?
  var notes: [Note]?
  var changes: [Change]?
}

extension Tool {
  /// Standard output as lines.
  var lines: [String] { Self.lines(text) }
  /// Standard error as lines.
  var errorLines: [String] { Self.lines(errorText) }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  /// Standard output as NDJSON; every line must be one.
  func json() throws -> [Line] {
    try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }
}

/// Results of the library, which its own tests verify, are the expected results of the command.
func normalized(_ path: String) throws -> [UInt8] {
  let result = try upright(["normalize", "-"], input: try Fixture.bytes(path))
  guard result.status == 0 else { throw Tool.Failure(result.errorText) }
  return result.output
}
