import Conversion
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform

struct HEIFStructureTests {
  private func structure(_ name: String) throws -> HEIFStructure {
    HEIFStructure(try Fixture.bytes("heif/\(name).heic"))
  }

  @Test func `The transformations of the primary image are read`() throws {
    #expect(try structure("plain").transform == .none)
    // A quarter clockwise, then left and right exchanged.
    #expect(try structure("transformed").transform == .transpose)
    #expect(try structure("grid").transform == .rotate270)
    #expect(try structure("cropped").isCropped && structure("cropped").transform == .rotate90)
  }

  @Test(arguments: [
    ("plain", PixelImage.Sampling.halved), ("4-2-2", .halvedWidth), ("4-4-4", .full),
    ("grayscale", .grayscale), ("grid", .halved), ("ten-bits", .halved),
  ])
  func `The sampling is that of the coding, or of the first tile`(
    name: String,
    sampling: PixelImage.Sampling
  ) throws {
    #expect(try structure(name).sampling == sampling)
  }

  @Test func `Contents after the images are found`() throws {
    let found = try structure("after")
    #expect(found.hasMotionPhoto && found.hasContentCredentials && !found.hasMovie)
    #expect(try !structure("plain").hasMotionPhoto && !structure("plain").hasContentCredentials)
  }

  @Test func `HEIF files are recognized by their brands`() throws {
    #expect(HEIFStructure.isHEIF(try Fixture.bytes("heif/plain.heic")))
    #expect(HEIFStructure.isHEIF(Array(try Fixture.bytes("heif/plain.heic").prefix(24))))
    #expect(!HEIFStructure.isHEIF(try Fixture.bytes("sample/portrait.jpg")))
    #expect(!HEIFStructure.isHEIF(Array("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp42moov".utf8)))
    #expect(!HEIFStructure.isHEIF([]))
  }

  @Test func `Every beginning of a file can be read`() throws {
    let file = try Fixture.bytes("heif/grid.heic")
    for count in file.indices { _ = HEIFStructure(Array(file.prefix(count))) }
  }

  @Test func `Damaged files can be read`() throws {
    var generator = SeededGenerator(seed: 11)
    let files = try ["grid", "transformed", "gain-map"].map { try Fixture.bytes("heif/\($0).heic") }
    for _ in 0..<3_000 {
      for file in files { _ = HEIFStructure(file.damaged(using: &generator)) }
    }
  }
}
