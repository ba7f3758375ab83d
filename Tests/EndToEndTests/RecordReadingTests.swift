import Fixtures
import Testing

/// Commands other than undo that read records.
struct RecordReadingTests {
  private let scratch: Scratch
  private let photo: String
  private let record: String

  init() throws {
    scratch = try Scratch()
    photo = try scratch.copy("sample/portrait.jpg", as: "photo.jpg")
    record = scratch.path("record.ndjson")
    _ = try upright(["normalize", "--record", record, photo])
  }

  @Test func `A result is proven by its record alone`() throws {
    let result = try upright(["verify", "--record", record, photo])
    #expect(result.status == 0)
    #expect(result.text.contains("proven: rotate 90° clockwise"))
  }

  @Test func `A file without a record is not proven`() throws {
    let other = try scratch.copy("sample/upside-down.jpg", as: "other.jpg")
    let result = try upright(["verify", "--record", record, other])
    #expect(result.status == 1)
    #expect(result.text.contains("no record restores the original"))
  }

  @Test func `With a record any number of files is verified, without a record two files are`()
    throws
  {
    #expect(try upright(["verify", photo]).status == 64)
    #expect(try upright(["verify", "--record", record, photo, photo]).status == 0)
    #expect(try upright(["verify", "--record", record]).status == 0)
  }

  @Test func `inspect shows the entries of the record`() throws {
    let result = try upright(["inspect", "--record", record, photo])
    #expect(result.status == 0)
    #expect(result.text.contains("Record: can be restored, byte for byte"))
    #expect(result.text.contains("rotate-90, lossless"))
  }
}
