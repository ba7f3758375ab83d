import Fixtures
import Testing

/// The option for the modification times of changed files.
struct TimesTests {
  @Test(arguments: [("keep", true), ("now", false)])
  func `A time is kept, or the present one, on request`(rule: String, isKept: Bool) throws {
    let scratch = try Scratch()
    let path = try scratch.copy(rotatedFixture, as: "a.jpg")
    let time = "1717236000.123456789"
    _ = try Tool.run("touch", ["-d", "@\(time)", path])
    #expect(try upright(["rotate", "180", "--times", rule, path]).status == 0)
    let after = try Tool.run("stat", ["-c", "%.9Y", path]).lines
    #expect((after == [time]) == isKept)
  }
}
