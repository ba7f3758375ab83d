import FileSystem
import SystemPackage
import Testing

@Suite struct FileErrorTests {
  @Test func `identifiers are stable`() {
    let identifiers = FileError.Problem.allCases.map(\.rawValue)
    #expect(
      identifiers == [
        "not-found", "dangling-link", "link-loop", "permission-denied", "read-only",
        "write-protected",
        "is-directory", "not-directory", "is-fifo", "is-socket", "is-device", "name-too-long",
        "not-path", "too-large", "no-space", "too-many-open-files", "hard-linked", "changed",
        "exists",
        "output-is-input", "output-collision", "broken-pipe", "closed", "input-output",
        "device-gone",
        "unconfirmed",
        "outcome-unknown", "not-record", "replaced", "locked", "backup-exists", "interrupted",
        "system",
      ]
    )
  }

  @Test func `a signal to end the run is not a call that was interrupted`() {
    #expect(FileError.interrupted("a.jpg").problem == .interrupted)
    #expect(FileError.interrupted("a.jpg").errno == nil)
    let error = FileError("a.jpg", .replace, system: .interrupted)
    #expect(error.problem == .system)
  }

  @Test func `a message names the path, what happened and what to do`() {
    do {
      _ = try readFile("/nowhere/a.jpg")
    } catch {
      #expect(
        error.description
          == "/nowhere/a.jpg: cannot open: no such file or directory. Check the path."
      )
      #expect(error.errno == .noSuchFileOrDirectory)
      #expect(error.operation == .open)
    }
  }
}
