import Fixtures
import Testing
import Upright

private let fixtures = Fixture.all.filter { $0.path.hasPrefix("xmp/") && $0.expect == .lossless }

/// Where the packet is kept as it is, or holds a part that nobody edits.
private let unreadable = ["malformed", "utf-16", "full", "full-without-exif", "extended"]
  .map { "xmp/\($0).jpg" }

@Suite(.requiresExifTool)
struct XMPFixtureTests {
  @Test(arguments: fixtures.filter { !unreadable.contains($0.path) })
  func `XMP describes the transformed image, and everything else in it is as it was`(
    fixture: Fixture
  ) throws {
    let file = try TransformedFile(fixture.path)
    #expect(file.changesOnlyWhatItLists)
    var expected = try ExifTool(file.original).values.filter { $0.key.hasPrefix("XMP-") }
    let isStale = fixture.path == "xmp/stale-dimensions.jpg"
    for (name, value) in [
      ("tiff:Orientation", 1), ("exif:ExifImageWidth", fixture.height),
      ("exif:ExifImageHeight", fixture.width),
      ("tiff:ImageWidth", isStale ? 1280 : fixture.height),
      ("tiff:ImageHeight", isStale ? 1920 : fixture.width),
    ] {
      let value = try #require(value)
      expected["XMP-\(name)"] = expected["XMP-\(name)"]?.map { _ in "\(value)" }
    }
    #expect(expected["XMP-tiff:Orientation"]?.isEmpty == false)
    #expect(try ExifTool(file.bytes).values.filter { $0.key.hasPrefix("XMP-") } == expected)
    #expect(try ExifTool.warnings(file.bytes) == ExifTool.warnings(file.original))
  }

  @Test(arguments: fixtures.filter { $0.path != "xmp/grows.jpg" })
  func `A packet with padding keeps its length`(fixture: Fixture) throws {
    let file = try TransformedFile(fixture.path)
    #expect(file.growth { $0.field.rawValue.hasPrefix("xmp.") } == 0)
    #expect(!file.fields.contains("xmp.segment-length"))
  }

  @Test func `A packet without padding grows with its segment`() throws {
    let file = try TransformedFile("xmp/grows.jpg")
    #expect(file.growth { $0.field.rawValue.hasPrefix("xmp.") } > 0)
    #expect(file.fields.contains("xmp.segment-length"))
    #expect(try isTransformed(file.original, file.bytes, "rotate-270"))
  }

  @Test(arguments: ["full", "full-without-exif"])
  func `A packet without room gets at least Orientation 1, and the rest is reported`(
    name: String
  ) throws {
    let file = try TransformedFile("xmp/\(name).jpg") { $0.onConflict = .trustTag }
    #expect(file.fields.filter { $0.hasPrefix("xmp.") } == ["xmp.tiff.Orientation"])
    #expect(file.rewrite.plan.notes.contains { $0.text.contains("XMP packet has no room") })
    #expect(try ExifTool(file.bytes).values["XMP-tiff:Orientation"] == ["1"])
    #expect(file.changesOnlyWhatItLists)
  }

  @Test(arguments: ["malformed", "utf-16"])
  func `A packet that cannot be edited is kept and reported`(name: String) throws {
    let file = try TransformedFile("xmp/\(name).jpg")
    #expect(!file.fields.contains { $0.hasPrefix("xmp.") })
    #expect(file.rewrite.plan.notes.contains { $0.text.contains("XMP packet") })
    #expect(file.changesOnlyWhatItLists)
  }

  @Test func `Orientation and the digest of an extended packet change, and nothing else of it`()
    throws
  {
    let file = try TransformedFile("xmp/extended.jpg")
    #expect(file.fields.contains("xmp.extended.Orientation"))
    #expect(file.changesOnlyWhatItLists)
    #expect(try Set(ExifTool(file.bytes).values["XMP-tiff:Orientation"] ?? []) == ["1"])
  }

  @Test(arguments: fixtures)
  func `A second run changes nothing`(fixture: Fixture) throws {
    let file = try TransformedFile(fixture.path)
    let again = try Rewriter().rewrite(file.bytes).plan.action
    #expect(!again.rewrites)
  }

  @Test func `An orientation that only XMP gives is suspected, and used on request`() throws {
    for name in ["alone", "alone-beside-exif"] {
      let plan = try Rewriter().rewrite(try Fixture.bytes("xmp/\(name).jpg")).plan
      guard case .skip(let reason) = plan.action else {
        Issue.record("\(plan.action)")
        continue
      }
      #expect(reason.evidence.map(\.kind) == [.xmpOnly])
      let file = try TransformedFile("xmp/\(name).jpg") { $0.onConflict = .trustTag }
      #expect(try isTransformed(file.original, file.bytes, "rotate-90"))
      #expect(file.rewrite.plan.notes.contains { $0.text.contains("is taken from XMP") })
    }
  }

  @Test func `Exif is used where XMP differs, with a note`() throws {
    let file = try TransformedFile("xmp/disagrees.jpg")
    #expect(try isTransformed(file.original, file.bytes, "rotate-90"))
    #expect(file.rewrite.plan.notes.contains { $0.text.contains("Orientation is 8 in XMP") })
    let plan = try Rewriter().rewrite(try Fixture.bytes("xmp/exif-upright.jpg")).plan
    #expect(!plan.action.rewrites)
    #expect(plan.notes.contains { $0.text.contains("Orientation is 6 in XMP") })
  }
}

@Suite(.requiresExifTool)
struct SidecarFixtureTests {
  /// The packet of a fixture as a file of its own.
  private func packet(of path: String) throws -> [UInt8] {
    let bytes = try Fixture.bytes(path)
    let start = try #require(bytes.firstRange(of: Array("<?xpacket begin".utf8)))
    let end = try #require(bytes.firstRange(of: Array("<?xpacket end=\"w\"?>".utf8)))
    return Array(bytes[start.lowerBound..<end.upperBound])
  }

  @Test(arguments: ["attributes", "elements", "other-prefixes", "single-quotes", "disagrees"])
  func `A sidecar is updated with its photo, once`(name: String) throws {
    let plan = try TransformedFile("xmp/attributes.jpg").rewrite.plan
    let old = try packet(of: "xmp/\(name).jpg")
    let sidecar = try Sidecar(old)
    #expect(sidecar.orientation == (name == "disagrees" ? 8 : 6))
    let update = try #require(sidecar.normalized(for: plan, options: Options()))
    let (new, changes) = (update.bytes, update.changes)
    let (before, after) = (try ExifTool(old).values, try ExifTool(new).values)
    #expect(after["XMP-tiff:Orientation"] == ["1"])
    for (tag, value) in [
      ("exif:ExifImageWidth", "64"), ("exif:ExifImageHeight", "96"), ("tiff:ImageWidth", "64"),
      ("tiff:ImageHeight", "96"),
    ] {
      #expect(after["XMP-\(tag)"] == before["XMP-\(tag)"].map { _ in [value] })
    }
    var rebuilt = old
    for change in changes.reversed() {
      rebuilt.replaceSubrange(change.range, with: change.replacement)
    }
    #expect(rebuilt == new)
    let again = try Sidecar(new).normalized(for: plan, options: Options())
    #expect(again == nil)
  }

  @Test func `The regions of a sidecar are transformed if the options say so`() throws {
    let plan = try TransformedFile("regions/mwg.jpg").rewrite.plan
    let sidecar = try Sidecar(try packet(of: "regions/mwg.jpg"))
    var options = Options()
    options.regions = .keep
    #expect(sidecar.normalized(for: plan, options: options)?.bytes == nil)
    options.regions = .follow
    let new = try #require(sidecar.normalized(for: plan, options: options)).bytes
    let after = try ExifTool(new).values
    #expect(after["XMP-mwg-rs:RegionAreaX"] == ["0.25"])
    #expect(after["XMP-mwg-rs:RegionAreaY"] == ["0.25"])
    #expect(after["XMP-mwg-rs:RegionAppliedToDimensionsW"] == ["64"])
  }

  @Test func `The sidecar of an unchanged photo is unchanged`() throws {
    let plan = try Rewriter().rewrite(try Fixture.bytes("orientation/aligned-1.jpg")).plan
    let sidecar = try Sidecar(try packet(of: "xmp/attributes.jpg"))
    #expect(sidecar.normalized(for: plan, options: Options())?.bytes == nil)
  }

  @Test func `Only Orientation changes in a sidecar if the tag of the photo is reset`() throws {
    let file = try TransformedFile("conflict/dimensions-tag-6.jpg") { $0.onConflict = .resetTag }
    let sidecar = try Sidecar(try packet(of: "xmp/attributes.jpg"))
    let update = try #require(
      sidecar.normalized(for: file.rewrite.plan, options: Options())
    )
    #expect(update.changes.map(\.field.rawValue) == ["xmp.tiff.Orientation"])
    #expect(update.changes.map { Array($0.replacement) } == [Array("1".utf8)])
  }

  @Test func `A sidecar that cannot be read is an error`() throws {
    #expect(throws: UprightError.self) { try Sidecar(Array("<x:xmpmeta>".utf8)) }
  }
}
