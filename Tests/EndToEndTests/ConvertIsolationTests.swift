import Fixtures
import Foundation
import Testing

/// `upright convert` with files that crash or occupy the decoder (tools/dev/faults/decoder.c).
@Suite(.enabled(if: FailingDecoder.library != nil)) struct ConvertIsolationTests {
  /// Writes a photo whose coded image begins with a unit of an unspecified type that contains a word.
  private func photo(_ word: String, _ scratch: Scratch, as name: String) throws -> String {
    var image = try HEIFSample.image()
    let unit = [48 << 1, 1] + Array(word.utf8)
    image.data = HEIFSample.number(unit.count, 4) + unit + image.data
    return try scratch.write(HEIFSample(image).bytes, to: name)
  }

  private func convert(
    _ arguments: [String],
    started: (Int32) -> Void = { _ in }
  ) throws -> Tool {
    let variables = ProcessInfo.processInfo.environment.filter {
      ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
    }
    return try Tool.run(
      uprightBinary,
      ["convert"] + arguments,
      // A sanitizer would report the crash that is expected here.
      environment: variables.mapValues { $0 + ":handle_segv=0:handle_abort=0:log_path=/dev/null" },
      preloaded: FailingDecoder.library,
      started: started
    )
  }

  @Test func `A crash of the decoder is an error of one file`() throws {
    let scratch = try Scratch()
    let files = try [
      photo("", scratch, as: "1.heic"), photo("FAULT-crash", scratch, as: "2.heic"),
      photo("FAULT-loss", scratch, as: "3.heic"), photo("", scratch, as: "4.heic"),
    ]
    let result = try convert(files + ["--format", "ndjson", "--jobs", "1"])
    #expect(result.status == 2)
    let lines = try result.json()
    #expect(lines.map(\.status) == ["converted", "failed", "failed", "converted"])
    #expect(lines[1].error?.id == "decoder-failed" && lines[2].error?.id == "decoder-failed")
    #expect(lines[1].error?.text.contains("signal 11") == true)
    #expect(try scratch.files().filter { $0.hasSuffix(".jpg") } == ["1.jpg", "4.jpg"])
    #expect(try scratch.read("1.jpg") == scratch.read("4.jpg"))
    let text = try convert(files + ["--overwrite"])
    #expect(text.text.hasSuffix("4 files: 2 converted, 2 failed\n"))
  }

  @Test func `Samples that a decoder does not write have a value that is not from memory`() throws {
    let scratch = try Scratch()
    let files = try [
      photo("", scratch, as: "1.heic"), photo("FAULT-unwritten", scratch, as: "2.heic"),
    ]
    #expect(try convert(files).status == 0)
    // 0xA5 as Y, Cb and Cr.
    let memory: [UInt8] = [217, 126, 230]
    let unwritten = try Tool.djpeg(scratch.read("2.jpg")).suffix(96 * 64 * 3)
    #expect(unwritten.enumerated().allSatisfy { abs(Int($1) - Int(memory[$0 % 3])) <= 4 })
    #expect(try Tool.djpeg(scratch.read("1.jpg")).suffix(96 * 64 * 3) != unwritten)
  }

  @Test func `A decoder that does not end is ended after the time limit`() throws {
    let scratch = try Scratch()
    let files = try [
      photo("FAULT-wait", scratch, as: "1.heic"), photo("", scratch, as: "2.heic"),
    ]
    let start = ContinuousClock.now
    let result = try convert(files + ["--format", "ndjson", "--time-limit", "2", "--jobs", "1"])
    #expect(ContinuousClock.now - start < .seconds(30))
    let lines = try result.json()
    #expect(lines.map(\.status) == ["failed", "converted"])
    #expect(lines[0].error?.id == "time-limit")
    #expect(result.status == 2)
  }

  @Test func `A decoder that takes all memory is an error of one file`() throws {
    let scratch = try Scratch()
    let files = try [
      photo("FAULT-memory", scratch, as: "1.heic"), photo("", scratch, as: "2.heic"),
    ]
    let lines = try convert(files + ["--format", "ndjson"]).json()
    #expect(lines.map(\.status) == ["failed", "converted"])
    #expect(lines[0].error?.id == "decoder-failed")
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGKILL])
  func `A signal ends the command and its decoder`(signal: Int32) throws {
    let scratch = try Scratch()
    let file = try photo("FAULT-wait", scratch, as: "1.heic")
    var decoders: [Int32] = []
    let result = try convert([file, "--jobs", "1"]) { process in
      for _ in 0..<600 where decoders.isEmpty {
        usleep(50_000)
        decoders = children(of: process)
      }
      // Its libraries are loaded, and its limits set.
      usleep(1_000_000)
      kill(process, signal)
    }
    #expect(signal == SIGKILL ? result.signal == SIGKILL : result.status == 128 + signal)
    #expect(decoders.count == 1)
    for _ in 0..<100 where decoders.contains(where: { kill($0, 0) == 0 }) { usleep(50_000) }
    #expect(!decoders.contains { kill($0, 0) == 0 })
    #expect(try scratch.files() == ["1.heic"])
  }

  private func children(of process: Int32) -> [Int32] {
    let list = "/proc/\(process)/task/\(process)/children"
    let text = (try? String(contentsOfFile: list, encoding: .utf8)) ?? ""
    return text.split(separator: " ").compactMap { Int32($0) }
  }
}

private enum FailingDecoder {
  /// The library; nil where it cannot be built.
  static let library: String? = {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../tools/dev/faults/decoder.c").standardized
    let built = FileManager.default.temporaryDirectory
      .appending(path: "upright-decoder-\(ProcessInfo.processInfo.processIdentifier).so").path
    let compiler = try? Tool.run("cc", ["-shared", "-fPIC", "-O1", "-o", built, source.path])
    return compiler?.status == 0 ? built : nil
  }()
}
