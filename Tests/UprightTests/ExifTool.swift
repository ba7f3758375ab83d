import Fixtures
import Foundation
import Synchronization
import Testing

/// What exiftool reads in a file.
struct ExifTool {
  /// The values by group and name, as in `XMP-tiff:Orientation`, in file order.
  var values: [String: [String]] = [:]

  fileprivate static let isInstalled = (try? Tool.run("exiftool", ["-ver"]))?.status == 0

  init(_ bytes: [UInt8]) throws {
    let output = try ExifToolProcess.run(["-n", "-a", "-G1", "-s2", "--System:all"], bytes)
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
      guard line.hasPrefix("["), parts.count == 2, let end = line.firstIndex(of: "]") else {
        continue
      }
      let name = parts[0][parts[0].index(after: end)...].drop { $0 == " " }
      values["\(parts[0][..<end].dropFirst()):\(name)", default: []].append(String(parts[1]))
    }
  }

  /// The bytes of a tag's value.
  static func data(_ tag: String, _ bytes: [UInt8]) throws -> [UInt8] {
    try ExifToolProcess.run(["-b", "-\(tag)"], bytes)
  }

  /// What exiftool finds wrong with a file.
  static func warnings(_ bytes: [UInt8]) throws -> [String] {
    let output = try ExifToolProcess.run(["-validate", "-warning", "-a", "-s3"], bytes)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The first value, as a number.
  func number(_ name: String) -> Int? { values[name]?.first.flatMap { Int($0) } }

  /// The images that the MPF index lists, the primary first.
  var multiPictureRanges: [Range<Int>] {
    (1...).lazy.map { index -> Range<Int>? in
      guard let start = number("MPImage\(index):MPImageStart"),
        let length = number("MPImage\(index):MPImageLength")
      else { return nil }
      return start..<start + length
    }.prefix { $0 != nil }.compactMap { $0 }
  }
}

/// A running exiftool, which answers in a tenth of the time that its start takes.
private final class ExifToolProcess: Sendable {
  private static let idle = Mutex<[ExifToolProcess]>([])
  private let (input, output) = (Pipe(), Pipe())

  private init() throws {
    let (input, output) = (input, output)
    let result = Mutex<Result<Void, any Error>>(.success(()))
    let isStarted = DispatchSemaphore(value: 0)
    // A thread that has started a process which still runs waits ten times as long for others.
    Thread.detachNewThread {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      // exiftool does not end with its input.
      process.arguments = [
        "-c", #"(cat; printf '%s\n' -stay_open False) | exec exiftool -stay_open True -@ -"#,
      ]
      (process.standardInput, process.standardOutput) = (input, output)
      process.standardError = FileHandle.nullDevice
      let outcome = Result { try process.run() }
      result.withLock { $0 = outcome }
      isStarted.signal()
    }
    isStarted.wait()
    try result.withLock { try $0.get() }
  }

  /// Returns what exiftool prints about a file.
  static func run(_ arguments: [String], _ file: [UInt8]) throws -> [UInt8] {
    let process = try idle.withLock { $0.popLast() } ?? ExifToolProcess()
    let scratch = try Scratch(in: Scratch.memory)
    let lines = arguments + [try scratch.write(file, to: "file"), "-execute"]
    let (input, output) = (process.input.fileHandleForWriting, process.output.fileHandleForReading)
    try input.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    var answer: [UInt8] = []
    let end = Array("{ready}\n".utf8)
    while !answer.suffix(end.count).elementsEqual(end) {
      let part = output.availableData
      guard !part.isEmpty else { throw Tool.Failure("exiftool ended") }
      answer += part
    }
    idle.withLock { $0.append(process) }
    return Array(answer.dropLast(end.count))
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test that compares with exiftool where it is missing.
  static var requiresExifTool: Self {
    .enabled(if: ExifTool.isInstalled, "exiftool is not installed: tools/setup --tests")
  }

  /// Skips a test of real photos where there are none.
  static var requiresRealPhotos: Self {
    .enabled(
      if: RealPhotos.folder != nil,
      "UPRIGHT_CORPUS names no folder: set it to a folder of photos"
    )
  }
}
