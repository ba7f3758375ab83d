import Conversion
import Fixtures
import ISOBMFF
import Testing

struct HEIFMetadataTests {
  private let block = Array("MM\0*\0\0\0\u{8}\0\0\0\0\0\0".utf8)

  private func metadata(_ sample: HEIFSample) throws -> HEIFMetadata {
    let bytes = sample.bytes
    return try HEIFMetadata(MediaFile(bytes.span), bytes.span)
  }

  private func exif(_ offset: Int, _ content: [UInt8]) -> HEIFSample.Item {
    HEIFSample.Item("Exif", HEIFSample.number(offset, 4) + content)
  }

  @Test func `Exif is found with every form of its offset`() throws {
    let header = Array("Exif\0\0".utf8)
    for item in [exif(6, header + block), exif(0, header + block), exif(0, block)] {
      let found = try metadata(HEIFSample(try HEIFSample.image(), item.referring("cdsc", 1)))
      #expect(found.exif == block && found.losses.isEmpty)
    }
  }

  @Test func `Exif and XMP that refer to no image are those of the image`() throws {
    var packet = HEIFSample.Item("mime", Array("<x/>".utf8))
    packet.contentType = "application/rdf+xml"
    let found = try metadata(HEIFSample(try HEIFSample.image(), exif(0, block), packet))
    #expect(found.exif == block && found.xmp == packet.data && found.losses.isEmpty)
  }

  @Test func `Metadata that refers to the image precedes other metadata, which is a loss`() throws {
    let other = exif(0, block + [1])
    let found = try metadata(
      HEIFSample(try HEIFSample.image(), other, exif(0, block).referring("cdsc", 1))
    )
    #expect(found.exif == block)
    #expect(found.losses == [Loss(.metadata, "metadata of type Exif")])
  }

  @Test(arguments: [
    [], [0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 9, 1, 2, 3], [0xFF, 0xFF, 0xFF, 0xFF, 1],
  ])
  func `An Exif item without a block is a loss`(content: [UInt8]) throws {
    let item = HEIFSample.Item("Exif", content).referring("cdsc", 1)
    let found = try metadata(HEIFSample(try HEIFSample.image(), item))
    #expect(found.exif == nil && found.losses.map(\.kind) == [.metadata])
  }

  @Test func `Compressed XMP is a loss`() throws {
    var packet = HEIFSample.Item("mime", [1])
    packet.contentType = "application/rdf+xml\0deflate"
    let found = try metadata(HEIFSample(try HEIFSample.image(), packet))
    #expect(found.xmp == nil && found.losses.map(\.kind) == [.metadata])
  }

  @Test func `A tone-mapped image is found`() throws {
    let image = try HEIFSample.image()
    let map = HEIFSample.Item("tmap", [0], [HEIFSample.ispe(96, 64)]).referring("dimg", 1, 2)
    #expect(try metadata(HEIFSample(image, image, map)).hasToneMap)
    #expect(try !metadata(HEIFSample(image, image)).hasToneMap)
  }
}
