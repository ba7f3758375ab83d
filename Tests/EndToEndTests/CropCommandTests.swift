import Fixtures
import Foundation
import Testing

struct CropCommandTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `A crop reports the resulting rectangle`() throws {
    let file = try scratch.copy("sample/portrait.jpg", as: "photo.jpg")
    let output = scratch.path("out.jpg")
    let result = try upright(["crop", "100x80+5+32", file, "-o", output])
    #expect(result.status == 0)
    #expect(
      result.lines == [
        "\(file): cropped to 105x80+0+32 instead of 100x80+5+32, rotated 90° clockwise, lossless"
          + " (320×480 → 105×80)"
      ]
    )
    #expect(try scratch.read("photo.jpg") == Fixture.bytes("sample/portrait.jpg"))
    let transformed = try Tool.jpegtran(
      try Fixture.bytes("sample/portrait.jpg"),
      ["-perfect", "-rotate", "90"]
    )
    let expected = try Tool.jpegtran(transformed, ["-crop", "105x80+0+32"])
    #expect(try Tool.djpeg(try scratch.read("out.jpg")) == Tool.djpeg(expected))
  }

  @Test func `NDJSON gives the rectangle before and after`() throws {
    struct Crop: Decodable, Equatable {
      var requested: [String: Int]
      var result: [String: Int]
    }
    struct Report: Decodable {
      var status: String
      var crop: Crop?
    }
    let file = try scratch.copy("sample/portrait.jpg", as: "photo.jpg")
    let expected = Crop(
      requested: ["x": 5, "y": 32, "width": 100, "height": 80],
      result: ["x": 16, "y": 32, "width": 89, "height": 80]
    )
    for (option, status) in [("--dry-run", "planned"), ("--backup=.orig", "cropped")] {
      let arguments = [
        "crop", "100x80+5+32", file, "--snap", "shrink", "--format", "ndjson", option,
      ]
      let result = try upright(arguments)
      #expect(result.status == 0)
      let line = try #require(result.lines.first)
      let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
      #expect(report.status == status)
      #expect(report.crop == expected)
    }
    #expect(try scratch.files() == ["photo.jpg", "photo.jpg.orig"])
    #expect(try scratch.read("photo.jpg.orig") == Fixture.bytes("sample/portrait.jpg"))
  }

  @Test(arguments: [["--lossless-only"], ["--unaligned", "skip"], ["--unaligned", "fail"]])
  func `A crop to the pixel is refused where nothing may be re-encoded`(policy: [String]) throws {
    let file = try scratch.copy("sample/portrait.jpg", as: "photo.jpg")
    for snap in [["--exact"], ["--snap", "exact"]] {
      let result = try upright(["crop", "9x9+3+3", file, "-n"] + snap + policy)
      #expect(result.status == 64)
      #expect(result.errorText.contains("An exact crop may re-encode"))
    }
    #expect(try upright(["crop", "9x9+3+3", file, "-n"] + policy).status == 0)
  }

  @Test func `An in-place crop requires --backup`() throws {
    let file = try scratch.copy("sample/portrait.jpg", as: "photo.jpg")
    let result = try upright(["crop", "100x80+5+32", file])
    #expect(result.status == 64)
    #expect(result.errorText.contains("--backup"))
    #expect(try scratch.read("photo.jpg") == Fixture.bytes("sample/portrait.jpg"))
  }

  @Test(arguments: [
    ["10x10", "photo.jpg"], ["0x10+0+0", "photo.jpg"], ["10x10+0-1", "photo.jpg"], ["photo.jpg"],
    ["10x10+0+0", "--exact", "--snap", "shrink", "photo.jpg"],
    ["10x10+0+0", "--record", "log", "photo.jpg"], ["10x10+0+0", "--snap", "round", "photo.jpg"],
  ])
  func `Invalid arguments are wrong usage`(arguments: [String]) throws {
    let result = try upright(["crop", "-n"] + arguments)
    #expect(result.status == 64)
  }

  @Test func `An image that is too small fails, and the others are cropped`() throws {
    try scratch.copy("coding/8x8-444.jpg", as: "in/small.jpg")
    try scratch.copy("orientation/aligned-6.jpg", as: "in/photo.jpg")
    let arguments = ["crop", "32x32+16+16", "-r", scratch.path("in"), "--output-dir"]
    let result = try upright(arguments + [scratch.path("out")])
    #expect(result.status == 2)
    #expect(result.errorText.contains("is not within the upright image of 8×8 pixels"))
    #expect(try scratch.files() == ["in/photo.jpg", "in/small.jpg", "out/photo.jpg"])
  }

  @Test func `A skipped file is not copied, because it shows what was to be removed`()
    throws
  {
    let file = try scratch.copy("coding/arithmetic.jpg")
    let result = try upright(["crop", "8x8+0+0", file, "-o", scratch.path("out.jpg")])
    #expect(result.status == 1)
    #expect(!scratch.exists("out.jpg"))
    // So it is in the way of nothing.
    try scratch.copy(uprightFixture, as: "out.jpg")
    for option in ["-n", "-v"] {
      let result = try upright(["crop", "8x8+0+0", file, "-o", scratch.path("out.jpg"), option])
      #expect(result.status == 1, "\(option): \(result.errorText)")
    }
    let piped = try upright(
      ["crop", "8x8+0+0", "-"],
      input: try Fixture.bytes("coding/arithmetic.jpg")
    )
    #expect(piped.status == 1)
    #expect(piped.output.isEmpty)
  }

  @Test func `Standard input is cropped to standard output`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let result = try upright(["crop", "--exact", "20x30+3+7", "-"], input: bytes)
    #expect(result.status == 0)
    #expect(try Tool.djpeg(result.output).starts(with: Array("P6\n20 30\n".utf8)))
  }

  @Test func `The sidecar is updated`() throws {
    let file = try scratch.copy("orientation/aligned-6.jpg", as: "photo.jpg")
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6" tiff:ImageWidth="96" \
      tiff:ImageLength="64"/></rdf:RDF></x:xmpmeta>
      """
    try scratch.write(Array(packet.utf8), to: "photo.xmp")
    let arguments = ["crop", "32x48+16+16", file, "--backup", ".orig", "--sidecars", "update"]
    #expect(try upright(arguments).status == 0)
    let sidecar = String(decoding: try scratch.read("photo.xmp"), as: UTF8.self)
    #expect(sidecar.contains(#"tiff:Orientation="1" tiff:ImageWidth="32" tiff:ImageLength="48""#))
  }

  @Test func `Verification does not accept a cropped image`() throws {
    let file = try scratch.copy("orientation/aligned-6.jpg", as: "photo.jpg")
    #expect(try upright(["crop", "32x48+16+16", file, "-o", scratch.path("out.jpg")]).status == 0)
    let result = try upright(["verify", file, scratch.path("out.jpg")])
    #expect([1, 2].contains(result.status))
    #expect(!result.text.isEmpty)
  }
}
