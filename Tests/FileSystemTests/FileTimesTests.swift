import FileSystem
import SystemPackage
import Testing

/// What programs that compare size and time see of a replacement, with real files.
@Suite struct FileTimesTests {
  let sandbox: Sandbox
  private let time = Timestamp(seconds: 1_000_000_000, nanoseconds: 123_456_789)

  init() throws { sandbox = try Sandbox() }

  @Test(
    arguments: [
      // The old content has three bytes.
      (FileTimes.visible, "new", false, 1), (.visible, "newer", false, 0),
      (.visible, "new", true, 1),
      (.visible, "newer", true, 1), (.keep, "new", true, 0), (.keep, "newer", false, 0),
    ] as [(FileTimes, String, Bool, Int64)]
  )
  func `a changed file never has both the size and the second of its original`(
    times: FileTimes,
    content: String,
    isDisplayed: Bool,
    later: Int64
  ) throws {
    let path = try original()
    try replace(path, content, times, ContentChange(isDisplayed: isDisplayed))
    let after = try sandbox.status(path)
    #expect(
      after.modificationTime == Timestamp(seconds: 1_000_000_000 + later, nanoseconds: 123_456_789)
    )
    #expect(after.accessTime == time)
  }

  @Test func `the present time has another second, too`() throws {
    let path = try sandbox.file("a.jpg")
    for content in ["one", "two", "six"] {
      let before = try sandbox.status(path)
      try replace(path, content, .now)
      let after = try sandbox.status(path)
      #expect(after.modificationTime.seconds != before.modificationTime.seconds)
    }
  }

  @Test func `the time of an original comes back, unless it hides the change`() throws {
    let path = try original()
    let former = Timestamp(seconds: 900_000_000, nanoseconds: 7)
    try replace(path, "new", .visible, ContentChange(original: former))
    #expect(try sandbox.status(path).modificationTime == former)
    try replace(path, "two", .visible, ContentChange(original: former))
    let later = Timestamp(seconds: 900_000_001, nanoseconds: 7)
    #expect(try sandbox.status(path).modificationTime == later)
  }

  @Test func `an output that is overwritten is seen, but only if it differs`() throws {
    let source = try original()
    let output = sandbox.path.appending("out.jpg")
    for (content, later) in [("one", 0), ("one", 0), ("two", 1), ("three", 0)] {
      let reader = try FileReader(source)
      try AtomicCreation(overwrite: true)
        .create(output, like: reader.rights(), with: Array(content.utf8))
      let seconds = try sandbox.status(output).modificationTime.seconds
      #expect(seconds == time.seconds + Int64(later), "\(content)")
    }
  }

  private func original() throws -> FilePath {
    let path = try sandbox.file("a.jpg")
    try sandbox.setTimes(path, access: time, modification: time)
    return path
  }

  private func replace(
    _ path: FilePath,
    _ content: String,
    _ times: FileTimes,
    _ change: ContentChange = ContentChange()
  ) throws {
    let identity = try FileReader(path).identity
    _ = try AtomicReplacement(times: times)
      .replace(path, readAs: identity, with: Array(content.utf8), change)
  }
}
