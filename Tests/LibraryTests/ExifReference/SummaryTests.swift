import ExifReference
import Testing

@Suite("Summary of a block")
struct SummaryTests {
  @Test(
    "The camera is make and model without the make twice",
    arguments: [
      ("Apple", "iPhone 6", "Apple iPhone 6"),
      ("Canon", "Canon EOS 40D", "Canon EOS 40D"),
      ("NIKON CORPORATION", "NIKON D70", "NIKON D70"),
      ("EASTMAN KODAK COMPANY", "KODAK DC240", "KODAK DC240"),
      ("Canon", "Canonet", "Canon Canonet"),
      ("Acme  ", "   ", "Acme"),
      ("", "X100", "X100"),
    ]
  )
  func camera(make: String, model: String, expected: String) throws {
    var block = ExifBlock(isLittleEndian: false)
    block.ifd0 = [block.ascii(0x010F, make), block.ascii(0x0110, model)]
    let reference = try #require(ExifReference(app1Payload: block.app1Payload))
    #expect(reference.camera == expected)
  }

  @Test(
    "The time of capture joins date, fraction and offset",
    arguments: [
      ("2019:07:04 12:33:07", nil, nil, "2019-07-04 12:33:07"),
      ("2019:07:04 12:33:07", "25 ", "+02:00", "2019-07-04 12:33:07.25+02:00"),
      ("2019:07:04 12:33:07", "x", "   :  ", "2019-07-04 12:33:07"),
      ("    :  :     :  :  ", "25", "+02:00", nil),
      ("0000:00:00 00:00:00", nil, nil, nil),
      ("2019:07:04", nil, nil, nil),
    ] as [(String, String?, String?, String?)]
  )
  func captured(date: String, fraction: String?, offset: String?, expected: String?) throws {
    var block = ExifBlock(isLittleEndian: true)
    block.ifd0 = [block.short(0x0112, 1)]
    block.exif = [block.ascii(0x9003, date)]
    if let offset { block.exif.append(block.ascii(0x9011, offset)) }
    if let fraction { block.exif.append(block.ascii(0x9291, fraction)) }
    let reference = try #require(ExifReference(app1Payload: block.app1Payload))
    #expect(reference.captured == expected)
  }

  @Test("A block without these tags has no summary")
  func silent() throws {
    var block = ExifBlock(isLittleEndian: true)
    block.ifd0 = [block.short(0x0112, 1)]
    let reference = try #require(ExifReference(app1Payload: block.app1Payload))
    #expect(reference.camera == nil && reference.captured == nil && reference.position == nil)
    #expect(reference.makerNote.isEmpty)
  }
}
