import Fixtures
import Foundation
import Testing

/// What the command says to do next.
struct HintTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A sidecar with an Orientation and settings of Camera Raw.
  private func settings(_ orientation: Int, _ attributes: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
       xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" tiff:Orientation="\(orientation)" \(attributes)/></rdf:RDF>
      </x:xmpmeta>
      """.utf8
    )
  }

  @Test func `The short help explains arguments`() throws {
    let rotate = try upright(["rotate", "-h"]).lines
    #expect(rotate.contains("USAGE: upright rotate [<options>] [<angle>] [<paths> ...]"))
    #expect(rotate.contains { $0.hasPrefix("  <angle> ") && $0.contains("90, 180 or 270") })
    #expect(try upright(["crop", "-h"]).text.contains("in place only with --backup"))
    let tag = try upright(["tag", "set", "-h"]).text
    #expect(tag.contains("Orientation, 1 to 8 or its name.\n"), "\(tag)")
    let wrong = try upright(["tag", "set", "9", "a.jpg"])
    let meaning = "5 leftMirrored, transposed; 6 right, rotated 90° clockwise; "
    #expect(wrong.status == 64 && wrong.errorText.contains(meaning), "\(wrong.errorText)")
  }

  @Test func `Commands keep what the run keeps`() throws {
    let photo = try scratch.copy("exif/orientation-9.jpg", as: "a.jpg")
    let run = ["normalize", photo, "--backup", ".orig", "--record", scratch.path("my record")]
    let text = try upright(run).text
    let options = "--record '\(scratch.path("my record"))' --backup .orig"
    #expect(text.contains("upright tag set N \(options) \(photo), N from 1 to 8"), "\(text)")
  }

  @Test func `Either of a photo and a sidecar with edits can be corrected`() throws {
    let crop = #"""
      crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0.1" crs:CropRight="0.8" crs:CropBottom="0.9" crs:CropAngle="0"
      """#
    let photo = try scratch.copy("orientation/aligned-6.jpg", as: "a.jpg")
    try scratch.write(settings(1, crop), to: "a.xmp")
    let text = try upright(["normalize", photo]).text
    for value in [6, 1] {
      #expect(text.contains("upright tag set \(value) \(photo) && upright normalize \(photo)"))
    }
    #expect(try upright(["tag", "set", "6", photo]).status == 0)
    #expect(try Sidecars.orientation(scratch.read("a.xmp")) == "6")
    #expect(try upright(["normalize", photo]).status == 0)
    let updated = try String(decoding: scratch.read("a.xmp"), as: UTF8.self)
    #expect(updated.contains(#"crs:CropRight="0.9""#))
  }

  @Test func `tag set corrects the sidecar of a photo that has the value`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(8), to: "a.xmp")
    let result = try upright(["tag", "set", "1", photo])
    #expect(result.status == 0, "\(result.text)")
    #expect(try Sidecars.orientation(scratch.read("a.xmp")) == "1")
  }

  @Test func `Only edits that cannot follow are named`() throws {
    let photo = try scratch.copy("orientation/aligned-6.jpg", as: "a.jpg")
    try scratch.write(settings(6, #"crs:PerspectiveVertical="20""#), to: "a.xmp")
    let text = try upright(["normalize", photo]).text
    let edits = "would no longer fit the image: perspective correction of Camera Raw (crs) ("
    #expect(text.contains(edits), "\(text)")
  }

  @Test func `A backup beside a photo that was changed since is named`() throws {
    let photo = try scratch.copy("orientation/aligned-6.jpg", as: "a.jpg")
    let record = scratch.path("record")
    #expect(try upright(["normalize", "--record", record, photo]).status == 0)
    #expect(try upright(["rotate", "90", "--backup", ".orig", photo]).status == 0)
    let text = try upright(["undo", "--record", record, photo]).text
    #expect(text.contains("(if \(photo).orig is its original, rename that)"), "\(text)")
  }

  @Test func `A copy of an upright photo is named`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    let copy = scratch.path("b.jpg")
    let text = try upright(["normalize", photo, "-o", copy]).text
    #expect(text.hasSuffix("; copied to \(copy)\n"), "\(text)")
  }

  @Test func `Options that leave no file to process are explained`() throws {
    let photo = try scratch.copy("orientation/aligned-6.jpg", as: "a.jpg")
    let raw = try upright(["normalize", "-r", "--formats", "raw", scratch.path("")])
    #expect(raw.status == 64 && raw.errorText.contains("no command changes files of these formats"))
    let taken = try upright(["normalize", "--record", photo])
    let text = "\(photo) was taken for the value of --record."
    #expect(taken.status == 64 && taken.errorText.contains(text), "\(taken.errorText)")
    let dry = try upright(["undo", "-n", "--record", photo, "--html", scratch.path("a.html")])
    #expect(dry.status == 64 && dry.errorText.contains("--format csv lists"), "\(dry.errorText)")
  }

  @Test func `A note on a crop does not advise to undo it`() throws {
    let photo = try scratch.copy("regions/subject-area-2.jpg", as: "a.jpg")
    let text = try upright(["crop", "8x8+0+0", photo, "-o", scratch.path("b.jpg"), "-v"]).text
    #expect(!text.contains("undo, then"), "\(text)")
  }

  @Test func `Raw files whose sidecar differs are named on request`() throws {
    try scratch.copy("formats/digital-negative.dng", as: "raw/a.dng")
    try scratch.write(Sidecars.packet(8), to: "raw/a.xmp")
    let audit = try upright(["audit", "-v", scratch.path("raw")])
    #expect(audit.errorText.contains("a.xmp has Orientation 8, the file 6"), "\(audit.errorText)")
    #expect(audit.text.contains("1  unchanged") && !audit.text.contains("already upright"))
  }

  @Test func `verify counts photos of which only the thumbnail was re-encoded`() throws {
    try scratch.copy("exif/thumbnail-unaligned.jpg", as: "old/a.jpg")
    try scratch.copy("orientation/unaligned-6.jpg", as: "old/b.jpg")
    let (old, new) = (scratch.path("old"), scratch.path("new"))
    #expect(try upright(["normalize", "-r", old, "--output-dir", new]).status == 0)
    let summary = "2 pairs: 2 partly proven (2 re-encoded, 1 of these only the thumbnail)"
    #expect(try upright(["verify", old, new]).lines.last == summary)
  }
}
