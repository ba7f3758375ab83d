import FileSystem
import Fixtures
import ImageOrientation
import PhotoFiles
import SystemPackage
import Testing
import Upright

/// The modification times of changed files, as programs see them that compare size and time.
struct TimesTests {
  private let scratch: Scratch
  private let recorded: FileRun
  private static let time = Timestamp(seconds: 1_717_236_000, nanoseconds: 123_456_789)

  init() throws {
    scratch = try Scratch()
    recorded = FileRun().with(\.record, scratch.path("record.ndjson"))
  }

  private func photo() throws -> String {
    let path = try scratch.copy(rotatedFixture, as: "a.jpg")
    try set(Self.time, of: path)
    return path
  }

  private func set(_ time: Timestamp, of path: String) throws {
    let file = try FileDescriptor.open(FilePath(path), .readWrite)
    defer { try? file.close() }
    try Syscalls.changeTimes(file, access: time, modification: time)
  }

  private func time(of path: String) throws -> Timestamp {
    try FileIdentity(of: FilePath(path)).modificationTime
  }

  private static let requests: [Request] = [
    .normalize(), .tag(.set(.down)), .tag(.remove), .rotate90,
    .transform(.rotate180, tagOnly: false), .transform(.flipHorizontal, tagOnly: false),
    .crop(PixelRectangle(x: 0, y: 0, width: 16, height: 16)),
  ]

  @Test(arguments: requests)
  func `The size or the second differs, and always where the display changes`(
    request: Request
  ) throws {
    let path = try photo()
    let size = try scratch.read("a.jpg").count
    // A crop cannot be undone.
    let run = (request.isCrop ? FileRun() : recorded).with(\.request, request)
    #expect(try run.rewrite(path).verdict == .done)
    let isLater = try request != .normalize() || scratch.read("a.jpg").count == size
    let later = Timestamp(seconds: Self.time.seconds + 1, nanoseconds: Self.time.nanoseconds)
    #expect(try time(of: path) == (isLater ? later : Self.time))

    guard !request.isCrop else { return }
    _ = try run.undo(path)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try time(of: path) == Self.time)
  }

  @Test(arguments: [(-2, 500_000_000), (-2, 0), (0, 1)])
  func `A time before 1970 and the nanoseconds come back, also those of a sidecar`(
    seconds: Int64,
    nanoseconds: Int64
  ) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let sidecar = try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    for file in [photo, sidecar] { try set(time, of: file) }
    let run = recorded.with(\.request, .rotate90)
    #expect(try run.rewrite(photo).verdict == .done)
    #expect(try self.time(of: photo) != time)
    #expect(try scratch.read("a.xmp") != Sidecars.packet(6))
    #expect(try run.undo(photo).verdict == .done)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    for file in [photo, sidecar] { #expect(try self.time(of: file) == time) }
  }

  @Test func `An undo of several rewrites restores the time before the first`() throws {
    let path = try photo()
    let run = recorded.with(\.request, .rotate90)
    for _ in 0..<3 { #expect(try run.rewrite(path).verdict == .done) }
    #expect(try run.undo(path).verdict == .done)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try time(of: path) == Self.time)
  }

  @Test func `The undo of a rewrite whose time is not known is seen`() throws {
    let path = try photo()
    let run = FileRun(request: .transform(.rotate180, tagOnly: false), embedsUndo: true)
    #expect(try run.rewrite(path).verdict == .done)
    let rotated = try time(of: path)
    #expect(try FileRun().undo(path).verdict == .done)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try time(of: path).seconds != rotated.seconds)
  }
}
