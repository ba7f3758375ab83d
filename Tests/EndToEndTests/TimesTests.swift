import Fixtures
import Foundation
import Testing

/// The modification times of changed files, as programs see them that compare size and time.
struct TimesTests {
  let scratch: Scratch
  private static let time = 1_717_236_000

  init() throws { scratch = try Scratch() }

  private func photo() throws -> String {
    let path = try scratch.copy(rotatedFixture, as: "a.jpg")
    try touch(path)
    return path
  }

  private func touch(_ path: String) throws {
    _ = try Tool.run("touch", ["-d", "@\(Self.time).123456789", path])
  }

  private func state(_ path: String) throws -> (size: Int, time: String) {
    let fields = try Tool.run("stat", ["-c", "%s %.9Y", path]).text.split(
      whereSeparator: \.isWhitespace
    )
    return (Int(fields[0]) ?? 0, String(fields[1]))
  }

  @Test(arguments: [
    ["normalize"], ["tag", "set", "3"], ["tag", "remove"], ["rotate", "90"], ["rotate", "180"],
    ["flip", "horizontal"], ["crop", "16x16+0+0"],
  ])
  func `The size or the second differs, and always where the display changes`(
    command: [String]
  ) throws {
    let path = try photo()
    let before = try state(path)
    let record = ["--record", scratch.path("record.ndjson")]
    // A crop cannot be undone.
    let isCrop = command[0] == "crop"
    let result = try upright(command + (isCrop ? ["--backup", ".orig"] : record) + [path])
    #expect(result.status == 0, "\(result.errorText)")
    let after = try state(path)
    let isLater = command != ["normalize"] || after.size == before.size
    #expect(after.time == "\(Self.time + (isLater ? 1 : 0)).123456789")

    guard !isCrop else { return }
    _ = try upright(["undo"] + record + [path])
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try state(path).time == before.time)
  }

  @Test(arguments: ["-1.500000000", "-2.000000000", "0.000000001"])
  func `A time before 1970 and the nanoseconds come back, also those of a sidecar`(
    time: String
  ) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let sidecar = try scratch.write(Sidecars.packet(6), to: "a.xmp")
    for file in [photo, sidecar] { _ = try Tool.run("touch", ["-d", "@\(time)", file]) }
    let times = try [photo, sidecar].map { try state($0).time }
    let record = ["--record", scratch.path("record.ndjson")]
    #expect(try upright(["rotate", "90", "--sidecars", "update"] + record + [photo]).status == 0)
    #expect(try state(photo).time != times[0])
    #expect(try scratch.read("a.xmp") != Sidecars.packet(6))
    #expect(try upright(["undo"] + record + [photo]).status == 0)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    #expect(try [photo, sidecar].map { try state($0).time } == times)
  }

  @Test func `An undo of several rewrites restores the time before the first`() throws {
    let path = try photo()
    let before = try state(path)
    let record = ["--record", scratch.path("record.ndjson")]
    for _ in 0..<3 { #expect(try upright(["rotate", "90"] + record + [path]).status == 0) }
    #expect(try upright(["undo"] + record + [path]).status == 0)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try state(path).time == before.time)
  }

  @Test func `A time is kept, or the present one, on request`() throws {
    for (rule, isKept) in [("keep", true), ("now", false)] {
      let path = try photo()
      _ = try upright(["rotate", "180", "--times", rule, path])
      #expect(try (state(path).time == "\(Self.time).123456789") == isKept)
    }
  }

  @Test func `The undo of a rewrite whose time is not known is seen`() throws {
    let path = try photo()
    _ = try upright(["rotate", "180", "--embed-undo", path])
    let rotated = try state(path)
    _ = try upright(["undo", path])
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try state(path).time.prefix(10) != rotated.time.prefix(10))
  }
}
