import Fixtures
import Foundation
import Testing

/// Lists, journals and records of 10 or 100 MB that hold nothing of use.
@Suite(.serialized) struct LargeListTests {
  #if DEBUG
  // Code that is not optimized takes fifty times as long for each byte.
  private static let size = 1_000_000
  #else
  private static let size = Effort.isExhaustive ? 100_000_000 : 10_000_000
  #endif

  /// What a file is filled with: one byte, again and again.
  private static let fillings: [UInt8] = [0x0A, 0x00, UInt8(ascii: "x")]

  private func large(_ filling: UInt8, after beginning: String = "") throws -> Scratch {
    let scratch = try Scratch()
    let bytes = Array(beginning.utf8) + [UInt8](repeating: filling, count: Self.size)
    try scratch.write(bytes, to: "large")
    try scratch.copy(rotatedFixture, as: "a.jpg")
    return scratch
  }

  @Test(.timeLimit(.minutes(5)), arguments: fillings, [[], ["-0"]])
  func `A large list is read in linear time`(filling: UInt8, options: [String]) throws {
    let scratch = try large(filling)
    let command = ["audit", "--format", "ndjson", "--files-from", scratch.path("large")] + options
    let result = try upright(command)
    let isEmpty = filling == (options.isEmpty ? 0x0A : 0x00)
    #expect(try result.json().map(\.error?.id) == (isEmpty ? [] : ["name-too-long"]))
    #expect(result.status == (isEmpty ? 0 : 2))
  }

  @Test(.timeLimit(.minutes(5)), arguments: fillings)
  func `A large journal is read in linear time`(filling: UInt8) throws {
    // Empty lines are harmless, and anything else is no journal.
    let status: Int32 = filling == 0x0A ? 0 : 2
    for (beginning, status) in [("", status), ("upright-journal/1\n", 0)] as [(String, Int32)] {
      let scratch = try large(filling, after: beginning)
      let command = ["normalize", "--journal", scratch.path("large"), scratch.path("a.jpg")]
      #expect(try upright(command).status == status)
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: fillings, ["", "{"])
  func `A large record is read in linear time`(filling: UInt8, beginning: String) throws {
    let scratch = try large(filling, after: beginning)
    let command = ["undo", "-r", "--record", scratch.path("large"), scratch.path("a.jpg")]
    // A line that is no record is reported, and empty lines are none.
    let isEmpty = filling == 0x0A && beginning.isEmpty
    #expect(try upright(command).status == (isEmpty ? 1 : 2))
  }
}
