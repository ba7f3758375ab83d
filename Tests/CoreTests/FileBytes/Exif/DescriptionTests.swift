import FileBytes
import Testing

struct DescriptionTests {
  /// A block whose ExifIFD has an entry of text, and whose GPS IFD has the entries that follow.
  private func block(
    texts: [(tag: UInt16, text: String)] = [],
    gps: [(tag: UInt16, type: UInt16, value: [UInt8])] = [],
    _ order: ByteOrder = .big
  ) -> (TIFFBlock?, [UInt8]) {
    let kind: UInt16 = texts.isEmpty ? 0x8825 : 0x8769
    let values =
      texts.map { (tag: $0.tag, type: UInt16(2), value: Array($0.text.utf8) + [0]) } + gps
    var tiff = TIFF(order)
    tiff.directory([tiff.entry(kind, type: 4, 26)])
    var place = 26 + 2 + 12 * values.count + 4
    var (entries, data) = ([TIFF.Entry](), [UInt8]())
    for (tag, type, value) in values {
      let count = type == 2 ? value.count : value.count / 8
      let field =
        value.count <= 4
        ? value + [UInt8](repeating: 0, count: 4 - value.count) : UInt32(place).bytes(order)
      entries.append(TIFF.Entry(tag: tag, type: type, count: UInt32(count), field: field))
      if value.count > 4 {
        data += value
        place += value.count
      }
    }
    tiff.directory(entries)
    tiff.append(data)
    return (tiff.block(), tiff.bytes)
  }

  @Test(
    arguments: [
      ("2024:05:06 07:08:09", nil, "2024-05-06T07:08:09"),
      ("2024:05:06 07:08:09", "+02:00", "2024-05-06T07:08:09+02:00"),
      ("2024:05:06 07:08:09.25", nil, "2024-05-06T07:08:09.25"),
      ("2024:05:06 07:08:09.123456", "-05:30", "2024-05-06T07:08:09.123456-05:30"),
      ("2024:05:06 07:08:09.5+01:00", "+02:00", "2024-05-06T07:08:09.5+01:00"),
      ("2024:05:06 07:08:09Z", nil, "2024-05-06T07:08:09Z"),
      ("2024:05:06 07:08:09.", nil, nil), ("2024:05:06 07:08:09 PM", nil, nil),
      ("0000:00:00 00:00:00", nil, nil), ("    :  :     :  :  ", nil, nil),
    ] as [(String, String?, String?)]
  )
  func `The capture time may have a fraction of a second and an offset`(
    text: String,
    offset: String?,
    expected: String?
  ) throws {
    var texts = [(tag: ExifTag.dateTimeOriginal, text: text)]
    if let offset { texts.append((ExifTag.offsetTimeOriginal, offset)) }
    let (block, bytes) = block(texts: texts)
    #expect(try #require(block).captureTime(bytes.span) == expected)
  }

  @Test(
    arguments: [
      ([(48, 1), (51, 1), (30, 1)], true), ([(48, 1), (0, 0), (0, 0)], true), ([(97, 2)], true),
      ([(0, 1), (0, 1), (0, 1)], true), ([(0, 0), (0, 0), (0, 0)], false), ([(48, 0)], false),
      ([(48, 1), (30, 0)], false), ([], false),
    ] as [([(UInt32, UInt32)], Bool)]
  )
  func `Undefined rationals are not a position`(
    fractions: [(UInt32, UInt32)],
    expected: Bool
  ) throws {
    for order in [ByteOrder.big, .little] {
      let value = fractions.flatMap { $0.0.bytes(order) + $0.1.bytes(order) }
      let (block, bytes) = block(
        gps: [(ExifTag.gpsLatitude, 5, value), (ExifTag.gpsLongitude, 5, value)],
        order
      )
      #expect(try #require(block).hasPosition(bytes.span) == expected)
    }
  }

  @Test(
    arguments: [
      ("48 deg 51' 30.00\" N", true), ("48.85", true), ("-5", true), ("unknown", false),
      ("", false),
      (" \0 48", false),
    ] as [(String, Bool)]
  )
  func `A position may be text with a number`(text: String, expected: Bool) throws {
    let value = Array(text.utf8) + [0]
    let (block, bytes) = block(
      gps: [(ExifTag.gpsLatitude, 2, value), (ExifTag.gpsLongitude, 2, value)]
    )
    #expect(try #require(block).hasPosition(bytes.span) == expected)
  }

  @Test func `A latitude alone is not a position`() throws {
    let (block, bytes) = block(gps: [(ExifTag.gpsLatitude, 2, Array("48.85\0".utf8))])
    #expect(try #require(block).hasPosition(bytes.span) == false)
  }
}
