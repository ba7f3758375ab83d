import Fixtures
import Testing

/// Records that a command cannot write, or not read as a whole.
struct RecordFaultTests {
  private let scratch: Scratch
  private let record: String
  private let file: String

  init() throws {
    scratch = try Scratch()
    record = scratch.path("record.ndjson")
    file = try scratch.copy(rotatedFixture, as: "a.jpg")
    #expect(try upright(["normalize", "--record", record, file]).status == 0)
  }

  @Test func `A line that is cut ends with status 2, one of the original does not`() throws {
    let undo = ["undo", "--record", record, file]
    let line = try RecordFile(scratch).lines[0]
    try scratch.write(Array(line.dropLast(line.count / 2)), to: "record.ndjson")
    let cut = try upright(undo)
    #expect(cut.status == 2 && cut.errorText.contains("is not a complete record"))
    try RecordFile.write([line], scratch)
    #expect(try upright(undo).status == 0)
    #expect(try upright(undo).status == 0)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A line that was cut is no error once another has the same original`() throws {
    let line = try RecordFile(scratch).lines[0]
    try scratch.copy(rotatedFixture, as: "a.jpg")
    let other = try scratch.copy("sample/portrait.jpg", as: "b.jpg")
    let undo = ["undo", "-n", "--record", record]
    for (count, status): (Int, Int32) in [(line.count / 2, 0), (20, 2)] {
      try scratch.write(Array(line.prefix(count)), to: "record.ndjson")
      #expect(try upright(["normalize", "--record", record, other]).status == 0)
      #expect(try upright(undo).status == 2)
      #expect(try upright(["normalize", "--record", record, file]).status == 0)
      let restorable = try upright(undo)
      #expect(restorable.status == status, "\(restorable.errorText)")
      #expect(restorable.text.contains("2 can be restored"))
      #expect(try upright(["undo", "--record", record]).status == status)
    }
  }

  @Test func `A file that is not a record is not appended to`() throws {
    try scratch.copy(rotatedFixture, as: "photo.jpg")
    let result = try upright(["normalize", "--record", scratch.path("photo.jpg"), file])
    #expect(result.status == 2)
    #expect(try scratch.read("photo.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A file whose record cannot be written is not replaced`() throws {
    let other = try scratch.copy(rotatedFixture, as: "b.jpg")
    let result = try upright(["normalize", "--record", scratch.path("none/record"), other])
    #expect(result.status == 2)
    #expect(try scratch.read("b.jpg") == Fixture.bytes(rotatedFixture))
  }
}
