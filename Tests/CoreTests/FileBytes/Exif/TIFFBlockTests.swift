import FileBytes
import Fixtures
import JPEGCore
import Testing

private let exifPointer: UInt16 = 0x8769
private let interoperabilityPointer: UInt16 = 0xA005

struct TIFFBlockTests {
  @Test(arguments: [ByteOrder.little, .big])
  func `Directories are read in either byte order`(order: ByteOrder) throws {
    var tiff = TIFF(order)
    tiff.directory(
      [tiff.entry(ExifTag.orientation, type: 3, 6), tiff.entry(exifPointer, type: 4, 38)],
      next: 56
    )
    tiff.directory([tiff.entry(ExifTag.pixelXDimension, type: 4, 70_000)])
    tiff.directory([tiff.entry(ExifTag.orientation, type: 3, 8)])
    let block = try #require(tiff.block())
    #expect(block.order == order)
    #expect(block.problems.isEmpty)
    #expect(block.integer(.ifd0, ExifTag.orientation, tiff.bytes) == 6)
    #expect(block.integer(.exif, ExifTag.pixelXDimension, tiff.bytes) == 70_000)
    #expect(block.integer(.ifd1, ExifTag.orientation, tiff.bytes) == 8)
    #expect(block.integer(.gps, ExifTag.orientation, tiff.bytes) == nil)
  }

  @Test func `Directories within each other have no more entries than the block has room for`()
    throws
  {
    // Each of 500 pointers is to another directory of 0x0F0F entries, each of one byte.
    var tiff = TIFF(.big)
    let start = tiff.end + 2 + 12 * 500 + 4
    tiff.directory((0..<500).map { tiff.entry(exifPointer, type: 4, start + 12 * $0) })
    for _ in 0..<500 + 0x0F0F + 1 { tiff.append([15, 15, 15, 15, 0, 7, 0, 0, 0, 1, 15, 15]) }
    let block = try #require(tiff.block())
    #expect(block.entries.count == tiff.bytes.count / 12)
    #expect(block.hasWholeIFD0 && block.isCut)
    let isShared = block.fields(tiff.bytes.span).areShared(
      tiff.end - 1..<tiff.end,
      isValue: true
    )
    #expect(isShared)
  }

  @Test func `Values that share bytes are not read without end`() throws {
    // Each of 500 fields has the 6000 bytes after the directory.
    var tiff = TIFF(.big)
    let start = UInt32(tiff.end + 2 + 12 * 501 + 4)
    let shared = TIFF.Entry(tag: 0x8649, type: 1, count: 6000, field: start.bytes(.big))
    let orientation = tiff.entry(ExifTag.orientation, type: 3, 6)
    tiff.directory([orientation] + Array(repeating: shared, count: 500))
    tiff.append([UInt8](repeating: 1, count: 6000))
    let block = try #require(tiff.block())
    #expect(block.isCut && !block.hasWholeIFD0)
    #expect(block.entries.reduce(0) { $0 + ($1.value?.count ?? 0) } < 9 * tiff.bytes.count)
    #expect(block.orientationRemoval(tiff.bytes.span) == nil)
    let isShared = block.fields(tiff.bytes.span).areShared(18..<20, isValue: true)
    #expect(isShared)
    // Some fields that share a value are read.
    var few = TIFF(.big)
    let place = UInt32(few.end + 2 + 12 * 8 + 4)
    let field = TIFF.Entry(tag: 0x8649, type: 1, count: 6000, field: place.bytes(.big))
    few.directory([orientation] + Array(repeating: field, count: 7))
    few.append([UInt8](repeating: 1, count: 6000))
    let whole = try #require(few.block())
    #expect(whole.hasWholeIFD0 && !whole.isCut)
  }

  @Test(
    arguments: [
      (1, 200, 200), (1, 0, 0), (6, -3, -3), (3, 65_535, 65_535), (8, -6, -6), (4, 70_000, 70_000),
      (9, -1, -1), (13, 9, 9), (2, 65, nil), (7, 1, nil), (11, 1, nil), (0, 1, nil), (14, 1, nil),
      (65_535, 1, nil),
    ] as [(UInt16, Int, Int64?)]
  )
  func `Integers of every type are read, others are not`(
    type: UInt16,
    value: Int,
    expected: Int64?
  ) throws {
    for order in [ByteOrder.little, .big] {
      var tiff = TIFF(order)
      tiff.directory([tiff.entry(ExifTag.orientation, type: type, value)])
      let block = try #require(tiff.block())
      #expect(block.entries.count == 1)
      #expect(block.integer(.ifd0, ExifTag.orientation, tiff.bytes) == expected)
    }
  }

  @Test(
    arguments: [
      (1, 255, 256), (6, 127, 128), (3, 65_535, 65_536), (8, 32_767, 32_768),
      (4, 4_294_967_295, 4_294_967_296), (9, 2_147_483_647, 2_147_483_648),
    ] as [(UInt16, Int64, Int64)]
  )
  func `A value is written in its type, or not at all`(
    type: UInt16,
    largest: Int64,
    tooLarge: Int64
  ) throws {
    for order in [ByteOrder.little, .big] {
      var tiff = TIFF(order)
      tiff.directory([tiff.entry(ExifTag.orientation, type: type, 6)])
      let block = try #require(tiff.block())
      let entry = try #require(block.entries.first)
      let edit = try #require(block.edit(entry, to: largest, field: "field", tiff.bytes))
      #expect((edit.field.old, edit.field.new) == ("6", "\(largest)"))
      let edited = [edit].applied(to: tiff.bytes)
      #expect(edited.count == tiff.bytes.count)
      let again = try #require(TIFFBlock(edited, in: 0..<edited.count))
      #expect(again.integer(.ifd0, ExifTag.orientation, edited) == largest)
      #expect(block.edit(entry, to: tooLarge, field: "field", tiff.bytes) == nil)
      #expect(block.edit(entry, to: 6, field: "field", tiff.bytes) == nil)
    }
  }

  @Test func `A directory is not read twice`() throws {
    var itself = TIFF(.big)
    itself.directory([itself.entry(ExifTag.orientation, type: 3, 6)], next: 8)
    let block = try #require(itself.block())
    #expect(block.entries.count == 1)
    #expect(block.problems.count == 1)

    var circle = TIFF(.little)
    circle.directory([circle.entry(exifPointer, type: 4, 26)], next: 44)
    circle.directory([circle.entry(interoperabilityPointer, type: 4, 8)], next: 0)
    circle.directory([circle.entry(ExifTag.orientation, type: 3, 6)], next: 8)
    let other = try #require(circle.block())
    #expect(other.entries.map(\.directory) == [.ifd0, .exif, .ifd1])
    #expect(other.problems.count == 1)
  }

  @Test(arguments: [0, 7, 26, 4_000_000_000] as [UInt32])
  func `A directory beyond the block is listed as a problem`(offset: UInt32) throws {
    var tiff = TIFF(.little, firstDirectory: offset)
    tiff.directory([tiff.entry(ExifTag.orientation, type: 3, 6)])
    let block = try #require(tiff.block())
    #expect(block.entries.isEmpty)
    #expect(block.problems.count == 1)
  }

  @Test(
    arguments: [
      (3, 3, 4_000_000_000), (5, 1, 20), (3, 4_000_000_000, 0), (12, 4_294_967_295, 8), (10, 2, 26),
    ] as [(UInt16, UInt32, UInt32)]
  )
  func `A value beyond the block is listed and never read`(
    type: UInt16,
    count: UInt32,
    offset: UInt32
  ) throws {
    var tiff = TIFF(.big)
    tiff.directory([
      .init(tag: ExifTag.xResolution, type: type, count: count, field: offset.bytes(.big))
    ])
    let block = try #require(tiff.block())
    let entry = try #require(block.entries.first)
    #expect(entry.value == nil)
    #expect(block.problems.count == 1)
    #expect(block.integer(entry, tiff.bytes) == nil)
    #expect(block.edit(entry, to: 1, field: "field", tiff.bytes) == nil)
  }

  @Test func `A value is never outside of the block, even if the file continues`() throws {
    var tiff = TIFF(.big)
    tiff.directory([.init(tag: 1, type: 3, count: 3, field: UInt32(26).bytes(.big))])
    let bytes = tiff.bytes + [UInt8](repeating: 1, count: 100)
    let block = try #require(TIFFBlock(bytes, in: 0..<tiff.bytes.count))
    #expect(block.entries.first?.value == nil)
    #expect(TIFFBlock(bytes, in: 0..<bytes.count)?.entries.first?.value == 26..<32)
  }

  @Test func `Of several values the first is changed and the others are kept`() throws {
    var tiff = TIFF(.little)
    tiff.directory([.init(tag: ExifTag.orientation, type: 3, count: 2, field: [6, 0, 1, 0])])
    let block = try #require(tiff.block())
    let edits = block.orientationEdits(tiff.bytes)
    #expect(edits.map(\.replacement) == [[1, 0]])
    #expect(edits.map(\.range) == [18..<20])
  }

  @Test func `An entry without values has no integer`() throws {
    var tiff = TIFF(.little)
    tiff.directory([.init(tag: ExifTag.orientation, type: 3, count: 0, field: [6, 0, 0, 0])])
    let block = try #require(tiff.block())
    #expect(block.integer(.ifd0, ExifTag.orientation, tiff.bytes) == nil)
    #expect(block.orientationEdits(tiff.bytes).isEmpty)
  }

  @Test(arguments: ["XX", "IM", "MI", "I", ""])
  func `Bytes without a TIFF header are not a block`(mark: String) {
    let bytes = Array(mark.utf8) + [42, 0, 8, 0, 0, 0, 0, 0, 0, 0]
    #expect(TIFFBlock(bytes, in: 0..<bytes.count) == nil)
  }

  @Test(arguments: ["exif/dimensions-in-ifd0.jpg", "exif/thumbnail-orientation.jpg"])
  func `A block truncated at any length has only entries within it`(path: String) throws {
    let bytes = try Fixture.bytes(path)
    let segment = try #require(try Container(bytes).segments(.exif, in: bytes).first)
    let start = segment.payload.lowerBound + 6
    let whole = try #require(TIFFBlock(bytes, in: start..<segment.payload.upperBound))
    for end in start..<segment.payload.upperBound {
      guard let block = TIFFBlock(bytes, in: start..<end) else {
        #expect(end - start < 8)
        continue
      }
      #expect(block.entries.count <= whole.entries.count)
      #expect(block.entries.allSatisfy { $0.value.map { $0.upperBound <= end } ?? true })
    }
  }
}
