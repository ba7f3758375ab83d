import ExifReference
import Testing

@Suite("Reading a block")
struct ExifReferenceTests {
  @Test("Every directory's tags have name, type and raw bytes", arguments: [false, true])
  func readsTags(isLittleEndian: Bool) throws {
    var block = ExifBlock(isLittleEndian: isLittleEndian)
    block.ifd0 = [block.ascii(0x010F, "Acme"), block.short(0x0112, 6)]
    block.ifd1 = [block.short(0x0103, 6)]
    block.exif = [block.short(0xA001, 1), block.undefined(0xFDE9, [1, 2, 3, 4, 5])]
    block.gps = [block.ascii(0x0001, "N")]

    let reference = try #require(ExifReference(app1Payload: block.app1Payload))

    #expect(reference.byteOrder == (isLittleEndian ? .littleEndian : .bigEndian))
    #expect(
      reference.tags.map { "\($0.directory.rawValue) \($0.name)" } == [
        "IFD0 Make", "IFD0 Orientation", "IFD1 Compression", "Exif ColorSpace", "Exif 0xFDE9",
        "GPS GPSLatitudeRef",
      ]
    )
    let orientation = try #require(reference.tag(0x0112, in: .ifd0))
    #expect(orientation.format == 3 && orientation.components == 1)
    #expect(orientation.bytes == (isLittleEndian ? [6, 0] : [0, 6]))
    #expect(orientation.text == "Right-top")
    #expect(reference.tag(0xFDE9, in: .exif)?.bytes == [1, 2, 3, 4, 5])
    #expect(reference.tag(0x0112, in: .ifd1) == nil)
  }

  @Test("A value that violates the specification is not repaired")
  func repairsNothing() throws {
    var block = ExifBlock(isLittleEndian: false)
    block.ifd0 = [ExifBlock.Entry(tag: 0x0112, format: 4, components: 1, bytes: [0, 0, 0, 9])]
    let reference = try #require(ExifReference(app1Payload: block.app1Payload))
    #expect(reference.tags.map(\.tag) == [0x0112])
    #expect(reference.tags.map(\.format) == [4])
    #expect(reference.tags.map(\.bytes) == [[0, 0, 0, 9]])
  }

  @Test("Control and direction characters are escaped and white space trimmed")
  func escapes() throws {
    var block = ExifBlock(isLittleEndian: true)
    block.ifd0 = [block.ascii(0x010E, "  a\u{1B}[31m\u{202E}é  ")]
    let reference = try #require(ExifReference(app1Payload: block.app1Payload))
    #expect(reference.tags.map(\.text) == ["a\\u{1B}[31m\\u{202E}é"])
    #expect(reference.tags.map(\.name) == ["ImageDescription"])
  }

  @Test("A known maker's note is listed entry by entry")
  func readsMakerNote() throws {
    var block = ExifBlock(isLittleEndian: true)
    block.ifd0 = [block.ascii(0x010F, "Canon")]
    // Canon's note is a bare directory; this one holds a firmware version in place.
    let note = block.number(1, 2) + block.number(0x0007, 2) + block.number(2, 2)
    block.exif = [block.undefined(0x927C, note + block.number(4, 4) + Array("1.0\0".utf8))]
    let reference = try #require(ExifReference(app1Payload: block.app1Payload))
    let entry = MakerNoteEntry(name: "FirmwareVersion", title: "Firmware Version", value: "1.0")
    #expect(reference.makerNote == [entry])
  }

  @Test(
    "What is no Exif block is nothing",
    arguments: ["", "Exif", "Exif\0\0", "Exif\0\0MM\0*\0\0\0\u{8}", "Exif\0\0XX\0*\0\0\0\u{8}\0\0"]
  )
  func refuses(payload: String) {
    #expect(ExifReference(app1Payload: Array(payload.utf8)) == nil)
  }

  @Test("A whole JPEG file is not taken for its segment's payload")
  func refusesFile() {
    var block = ExifBlock(isLittleEndian: true)
    block.ifd0 = [block.short(0x0112, 6)]
    let payload = block.app1Payload
    #expect(ExifReference(app1Payload: payload) != nil)
    let length = [0, UInt8(payload.count + 2)]
    #expect(ExifReference(app1Payload: [0xFF, 0xD8, 0xFF, 0xE1] + length + payload) == nil)
  }

  @Test("A block that is truncated anywhere, or has any byte set high, is read or rejected")
  func survivesDamage() {
    var block = ExifBlock(isLittleEndian: false)
    block.ifd0 = [block.ascii(0x010F, "Acme"), block.short(0x0112, 6)]
    block.exif = [block.ascii(0x9003, "2019:07:04 12:33:07")]
    block.gps = [block.ascii(0x0001, "N"), block.rationals(0x0002, [(48, 1), (51, 1), (0, 0)])]
    let payload = block.app1Payload
    for index in payload.indices {
      var damaged = payload
      damaged[index] = 0xFF
      for candidate in [Array(payload[..<index]), damaged] {
        guard let reference = ExifReference(app1Payload: candidate) else { continue }
        #expect(reference.tags.allSatisfy { $0.bytes.count <= payload.count })
        #expect(reference.position == nil)
      }
    }
  }

  @Test("A thousand tags sharing one huge value are rejected by the memory limit")
  func boundsMemory() {
    let block = ExifBlock(isLittleEndian: true)
    let count = 1000
    var payload = Array("Exif\0\0".utf8) + block.header(directoryAt: 8) + block.number(count, 2)
    for tag in 0..<count {
      payload += block.number(0xC000 + tag, 2) + block.number(7, 2)
      payload += block.number(60_000, 4) + block.number(8, 4)
    }
    payload += Array(repeating: 0, count: 65_533 - payload.count)
    #expect(ExifReference(app1Payload: payload)?.tags.count == nil)
  }

  @Test("With any memory limit, a block is read or rejected")
  func survivesEveryRefusal() {
    var block = ExifBlock(isLittleEndian: true)
    block.ifd0 = [block.ascii(0x010F, "Canon"), block.short(0x0112, 6)]
    let note = block.number(1, 2) + block.number(0x0007, 2) + block.number(2, 2)
    block.exif = [block.undefined(0x927C, note + block.number(4, 4) + Array("1.0\0".utf8))]
    let payload = block.app1Payload
    var refused: [Int] = []
    var readInPart: [Int] = []
    for limit in 0..<4000 {
      guard let read = LibexifBlock(payload, memoryLimit: limit) else {
        refused.append(limit)
        continue
      }
      if read.tags().count != 3 || read.makerNote().count != 1 { readInPart.append(limit) }
    }
    #expect(readInPart.isEmpty)
    #expect(!refused.isEmpty && refused == Array(0..<refused.count) && refused.count < 4000)
  }
}
