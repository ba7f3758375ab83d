import Fixtures
import Foundation
import ISOBMFF
import ImageOrientation
import Testing
import Upright
import Verification

/// HEIF and AVIF files whose orientation is changed without a coded byte.
struct HEIFOrientationTests {
  /// The forms in which files state their orientation.
  enum Form: String, CaseIterable, Sendable {
    case noProperty, irot, imir, irotAndImir, imirAndIrot, cropped, grid, auxiliary, thumbnail
    case shared, avif, avifWithIrot

    /// The forms that are changed: `shared` has two images that are not displayed together.
    static let changed = allCases.filter { $0 != .shared }

    /// The file, with Exif of Orientation 6.
    func file() throws -> [UInt8] {
      func image(_ properties: [UInt8]...) throws -> HEIFSample.Item {
        try properties.reduce(HEIFSample.image()) { $0.with($1) }
      }
      func imir(_ axis: UInt8) -> [UInt8] { HEIFSample.box("imir", [axis]) }
      let irot = HEIFSample.irot(1)
      switch self {
      case .noProperty: return try sample(image())
      case .irot: return try sample(image(irot))
      case .imir: return try sample(image(imir(0)))
      case .irotAndImir: return try sample(image(irot, imir(1)))
      case .imirAndIrot: return try sample(image(imir(1), HEIFSample.irot(2)))
      case .cropped: return try sample(image(HEIFSample.clap(60, 40), HEIFSample.irot(2)))
      case .grid:
        let tiles = try (0..<4).map { _ in
          var tile = try image()
          tile.isHidden = true
          return tile
        }
        return try sample(HEIFSample.grid(2, 2, 192, 128, [3, 4, 5, 6]), tiles)
      case .auxiliary:
        let alpha = HEIFSample.auxiliary("urn:mpeg:hevc:2015:auxid:1")
        return try sample(image(irot), [image(alpha, irot).referring("auxl", 1)])
      case .thumbnail: return try sample(image(), [image().referring("thmb", 1)])
      case .shared: return try Fixture.bytes("formats/shared.heic")
      case .avif: return try Fixture.bytes("formats/exif-alone.avif")
      case .avifWithIrot: return try Fixture.bytes("formats/rotated.avif")
      }
    }

    private func sample(
      _ primary: HEIFSample.Item,
      _ others: [HEIFSample.Item] = []
    ) throws -> [UInt8] {
      let content: [UInt8] = [0, 0, 0, 0] + HEIFOrientationTests.exif
      let exif = HEIFSample.Item("Exif", content).referring("cdsc", 1)
      return HEIFSample(items: [primary, exif] + others).bytes
    }

    /// The orientation that irot and imir state.
    var stated: Orientation? {
      switch self {
      case .noProperty, .grid, .thumbnail, .avif: nil
      case .irot, .auxiliary: Orientation(rawValue: 8)
      case .imir: .downMirrored
      case .irotAndImir: .rightMirrored
      case .imirAndIrot: .downMirrored
      case .cropped: .down
      case .shared, .avifWithIrot: .right
      }
    }
  }

  /// An Exif block with Orientation 6, and a value after it.
  private static let exif: [UInt8] =
    Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]

  /// Returns a file with another Orientation in Exif.
  private func with(_ orientation: Int, _ file: [UInt8]) throws -> [UInt8] {
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]
    let place = try #require(file.firstRange(of: entry)).upperBound
    var file = file
    file[place] = UInt8(orientation)
    return file
  }

  private func edit(
    _ file: [UInt8],
    then transform: OrientationTransform = .none,
    _ policy: Options.ConflictPolicy = .skip
  ) throws -> Outcome {
    var options = Options()
    options.onConflict = policy
    options.makesUndo = true
    return try Rewriter(.normalize(then: transform), options: options).rewrite(file)
  }

  /// The contents of the items, but for Exif, as the boxes give their places.
  private func contents(_ file: [UInt8]) throws -> [[UInt8]] {
    let media = try MediaFile(file.span)
    return try media.directory.order.map { try media.directory.item($0) }
      .filter { $0.type != "Exif" }
      .map { try media.directory.content(of: $0, file.span) }
  }

  /// The orientation that an image's properties state.
  private func stated(_ file: [UInt8], _ item: Int) throws -> Orientation? {
    let media = try MediaFile(file.span)
    return try ImageTransforms.orientation(of: try media.directory.item(item), file.span)
      .map { Orientation(uprightBy: $0) }
  }

  @Test(arguments: Form.allCases, 1...8)
  func `normalize changes nothing that irot and imir agree with, and decides the rest by policy`(
    form: Form,
    orientation: Int
  ) throws {
    let file = try with(orientation, form.file())
    let audited = try Rewriter().audit(file).plan.action
    let outcome = try edit(file)
    #expect(outcome.plan.action == audited)
    let stated = form.stated ?? .up
    guard orientation != 1, orientation != stated.rawValue else {
      guard case .unchanged = outcome.plan.action else {
        Issue.record("\(outcome.plan.action)")
        return
      }
      return
    }
    #expect(audited.reason?.code == (form == .shared ? .imageStructure : .orientationsDisagree))
    guard form != .shared else { return }
    let reset = try edit(file, .resetTag).rewritten()
    #expect(reset.bytes == (try with(1, file)))
    #expect(reset.image.orientation == stated)
    let trusted = try edit(file, .trustTag).rewritten()
    #expect(try self.stated(trusted.bytes, 1)?.rawValue == orientation)
    for rewrite in [reset, trusted] {
      #expect(try contents(rewrite.bytes) == contents(file))
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == file)
      #expect(try !edit(rewrite.bytes).plan.action.rewrites)
    }
  }

  @Test func `Exif that agrees with irot and imir agrees after a transform`() throws {
    let file = try with(8, Form.irot.file())
    let rewrite = try edit(file, then: .flipVertical).rewritten()
    let facts = try Rewriter().audit(rewrite.bytes).facts
    let orientation = Orientation(uprightBy: Orientation.left.transform.then(.flipVertical))
    #expect(facts.exifOrientation == Int64(orientation.rawValue))
    #expect(facts.formatOrientation == orientation)
  }

  @Test func `Exif with 1 outranks XMP where there is neither irot nor imir`() throws {
    var packet = HEIFSample.Item("mime", Array(Self.packet.utf8)).referring("cdsc", 1)
    packet.contentType = "application/rdf+xml"
    let exif = HEIFSample.Item("Exif", [0, 0, 0, 0] + Self.exif).referring("cdsc", 1)
    let file = try with(1, HEIFSample(try HEIFSample.image(), exif, packet).bytes)
    let reason = try #require(try Rewriter().audit(file).plan.action.reason)
    #expect(reason.code == .orientationsDisagree && reason.cause.contains("Exif gives 1"))
    for policy in [Options.ConflictPolicy.trustTag, .resetTag] {
      let rewrite = try edit(file, policy).rewritten()
      #expect(rewrite.bytes.count == file.count && rewrite.image.orientation == .up)
      #expect(rewrite.bytes.firstRange(of: Array("Orientation=\"1\"".utf8)) != nil)
    }
  }

  private static let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>\
    </rdf:RDF></x:xmpmeta>
    """

  @Test(arguments: [Form.noProperty, .grid, .thumbnail, .avif], 2...8)
  func `Without irot and imir, the policy decides between Exif and the stored image`(
    form: Form,
    orientation: Int
  ) throws {
    let file = try with(orientation, form.file())
    let trusted = try edit(file, .trustTag).rewritten()
    #expect(try stated(trusted.bytes, 1)?.rawValue == orientation)
    #expect(try contents(trusted.bytes) == contents(file))
    #expect(try #require(trusted.undo).restoreOriginal(from: trusted.bytes) == file)
    let reset = try edit(file, .resetTag).rewritten()
    #expect(reset.bytes == (try with(1, file)))
    #expect(try edit(trusted.bytes).plan.action.rewrites == false)
  }

  private func edit(_ file: [UInt8], _ policy: Options.ConflictPolicy) throws -> Outcome {
    try edit(file, then: .none, policy)
  }

  @Test(arguments: Form.changed, OrientationTransform.allCases.dropFirst())
  func `A transform is composed with irot and imir, of thumbnails and auxiliary images too`(
    form: Form,
    transform: OrientationTransform
  ) throws {
    let file = try with(1, form.file())
    let rewrite = try edit(file, then: transform).rewritten()
    let old = form.stated ?? .up
    let new = Orientation(uprightBy: old.transform.then(transform))
    #expect(try stated(rewrite.bytes, 1) ?? .up == new)
    #expect(rewrite.image.orientation == new)
    if form == .auxiliary || form == .thumbnail {
      #expect(try stated(rewrite.bytes, 3) ?? .up == new)
    }
    #expect(try contents(rewrite.bytes) == contents(file))
    #expect(rewrite.verification == .restored)
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == file)
  }

  @Test func `A property that no other image has is changed in place`() throws {
    let file = try with(1, Form.irot.file())
    let rewrite = try edit(file, then: .rotate90).rewritten()
    #expect(zip(file, rewrite.bytes).count(where: { $0 != $1 }) == 1)
    #expect(rewrite.bytes.count == file.count)
    #expect(rewrite.changes.map(\.field.rawValue) == ["heif.irot"])
  }

  @Test(
    .enabled(
      if: (try? Tool.run("heif-convert", ["--help"])) != nil,
      "heif-convert is not installed: run tools/setup --tests"
    ),
    arguments: Form.changed
  )
  func `libheif decodes the result to the transformed pixels`(form: Form) throws {
    let file = try form.file()
    let before = try decoded(file)
    let upright = try with(1, file)
    for transform in OrientationTransform.allCases where transform != .none {
      let result = try decoded(edit(upright, then: transform).rewritten().bytes)
      #expect(try #require(result.psnr(to: before.transformed(by: transform))) > 35)
    }
    if form.stated == nil {
      let result = try decoded(edit(file, .trustTag).rewritten().bytes)
      #expect(try #require(result.psnr(to: before.transformed(by: .rotate90))) > 35)
    }
  }

  /// A file of 1 MiB with so many items, each of which has all of it.
  private func sharing(_ count: Int, _ item: HEIFSample.Item) throws -> [UInt8] {
    let items = Array(repeating: item, count: count)
    var sample = HEIFSample(items: [try HEIFSample.image().with(HEIFSample.irot(1))] + items)
    sample.trailer = HEIFSample.box("free", [UInt8](repeating: 0, count: 1 << 20))
    var file = sample.bytes
    let locations = try #require(file.firstRange(of: Array("iloc".utf8))).upperBound + 8
    let place = HEIFSample.number(file.count - 1 << 20, 4) + HEIFSample.number(1 << 20, 4)
    for item in 1...count {
      let extent = locations + 14 * item + 6..<locations + 14 * item + 14
      file.replaceSubrange(extent, with: place)
    }
    return file
  }

  @Test(arguments: [3, 5, 100])
  func `Items that share their bytes do not multiply the memory of an audit`(count: Int) throws {
    let file = try sharing(count, HEIFSample.Item("Exif", [0]))
    guard count > 4 else {
      _ = try Rewriter().audit(file)
      return
    }
    #expect {
      try Rewriter().audit(file)
    } throws: {
      ($0 as? UprightError)?.code == .limit
    }
  }

  @Test(arguments: [7, 9])
  func `A file whose items share more bytes than eight times its own is not changed`(
    count: Int
  ) throws {
    let file = try sharing(count, HEIFSample.Item("abcd", [0]))
    let outcome = try edit(file, then: .rotate90)
    #expect(outcome.skipReason == (count > 8 ? "image-structure" : nil))
    var other = file
    other[other.count - 1] = 1
    let damaged = other
    guard count > 8 else {
      #expect(try !Verifier().verify(original: file, result: damaged).findings.isEmpty)
      return
    }
    #expect(throws: UprightError.self) {
      try Verifier().verify(original: file, result: damaged)
    }
  }

  @Test func `The offset of an error in the box meta is that in the file`() throws {
    var file = try Form.irot.file()
    // The first association of the first item.
    let item = try #require(file.firstRange(of: Array("ipma".utf8))).upperBound + 8
    file[item + 3] = 0x7F
    let damaged = file
    let error = #expect(throws: UprightError.self) { try Rewriter().audit(damaged) }
    #expect(error?.offset == item)
    let unreadable = #expect(throws: UprightError.self) {
      try Verifier().verify(original: damaged, result: damaged + [0])
    }
    #expect(unreadable?.offset == item)
    let end = try #require(damaged.firstRange(of: Array("iloc".utf8))).upperBound + 8
    var cut = try Form.irot.file()
    cut.replaceSubrange(end + 10..<end + 14, with: HEIFSample.number(1 << 30, 4))
    let tooLong = cut
    #expect(#expect(throws: UprightError.self) { try Rewriter().audit(tooLong) }?.offset == end)
  }

  private func decoded(_ file: [UInt8]) throws -> Pixels {
    let scratch = try Scratch()
    let path = try scratch.write(file, to: "a.heic")
    let tool = try Tool.run("heif-convert", ["-q", "98", path, scratch.path("a.jpg")])
    guard tool.status == 0 else { throw Tool.Failure(tool.text + tool.errorText) }
    // Of several images, each gets a number.
    return try Pixels(scratch.read(scratch.exists("a.jpg") ? "a.jpg" : "a-1.jpg"))
  }
}
