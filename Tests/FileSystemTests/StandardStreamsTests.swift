import FileSystem
import SystemPackage
import Testing

@Suite struct StandardStreamsTests {
  @Test func `a stream is read to its end`() async throws {
    let (input, output) = try FileDescriptor.pipe()
    let sent = [UInt8](repeating: 7, count: 300_000)
    let writer = Task {
      try output.closeAfter { try StandardStreams.write(sent, to: output) }
    }
    let received = try StandardStreams.read(from: input)
    try await writer.value
    try input.close()
    #expect(received == sent)
  }

  @Test func `a stream above the limit is refused`() throws {
    let (input, output) = try FileDescriptor.pipe()
    try StandardStreams.write([1, 2, 3], to: output)
    try output.close()
    #expect(throws: FileError.self) { try StandardStreams.read(from: input, limit: 2) }
    try input.close()
  }

  @Test func `a closed pipe is an error and not the end of the process`() async {
    await #expect(processExitsWith: .success) {
      Syscalls.reportWriteSignalsAsErrors()
      let (input, output) = try FileDescriptor.pipe()
      try input.close()
      do throws(FileError) {
        try StandardStreams.write([1], to: output)
        Issue.record("nobody reads")
      } catch {
        #expect(error.identifier == "broken-pipe")
      }
    }
  }

  /// A device on which every write finds the disk full.
  static let full = try? FileDescriptor.open(FilePath("/dev/full"), .writeOnly)

  @Test(.enabled(if: full != nil, "there is no /dev/full: run the tests on Linux"))
  func `a full disk is reported as such`() throws {
    let full = try #require(Self.full)
    do throws(FileError) {
      try StandardStreams.write([1], to: full)
      Issue.record("the disk took the byte")
    } catch {
      #expect(error.identifier == "no-space")
    }
  }
}
