import Fixtures
import ISOBMFF
import ImageOrientation
import Testing
import Upright

/// HEIF files with several images: all that are displayed together are transformed, or the file is skipped.
struct HEIFStructureTests {
  private static let alpha = HEIFSample.auxiliary("urn:mpeg:hevc:2015:auxid:1")
  private static let depth = HEIFSample.auxiliary("urn:mpeg:hevc:2015:auxid:2")
  private static let size = HEIFSample.ispe(96, 64)

  /// The structures whose images move together.
  enum Together: String, CaseIterable, Sendable {
    case alpha, depth, gainMapOfTwo, toneMapped, sharedByToneMapped, toneMappedAlone
    case ster, pymd, brst, altr, thumbnailOfSecond, hidden, sharedBytes

    func sample(_ stated: [[UInt8]]) throws -> HEIFSample {
      func image(_ properties: [[UInt8]], hidden: Bool = false) throws -> HEIFSample.Item {
        var image = try properties.reduce(HEIFSample.image()) { $0.with($1) }
        image.isHidden = hidden
        return image
      }
      let primary = try image(stated)
      func auxiliary(_ type: [UInt8], _ targets: Int...) throws -> HEIFSample.Item {
        var item = try image([type] + stated, hidden: true)
        item.references = [("auxl", targets)]
        return item
      }
      func toneMapped(_ properties: [[UInt8]]) -> HEIFSample.Item {
        HEIFSample.Item("tmap", [0], [HEIFStructureTests.size] + properties).referring("dimg", 1, 2)
      }
      var sample: HEIFSample
      switch self {
      case .alpha: sample = HEIFSample(primary, try auxiliary(HEIFStructureTests.alpha, 1))
      case .depth: sample = HEIFSample(primary, try auxiliary(HEIFStructureTests.depth, 1))
      case .gainMapOfTwo:
        let map = HEIFSample.auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap")
        sample = HEIFSample(primary, try auxiliary(map, 1, 3), toneMapped([]))
      case .toneMapped, .toneMappedAlone:
        sample = HEIFSample(primary, try image(stated, hidden: true), toneMapped([]))
        if self == .toneMapped { sample.groups = [("altr", [3, 1])] }
      case .sharedByToneMapped:
        sample = HEIFSample(primary, try image(stated, hidden: true), toneMapped(stated))
        sample.sharesProperties = true
      case .ster, .pymd, .brst, .altr:
        sample = HEIFSample(primary, try image([HEIFSample.irot(1)]))
        sample.groups = [(rawValue, [2, 1])]
      case .thumbnailOfSecond:
        sample = HEIFSample(primary, try image(stated), try image([]).referring("thmb", 2))
        sample.groups = [("ster", [1, 2])]
      case .hidden: sample = HEIFSample(primary, try image([HEIFSample.irot(3)], hidden: true))
      case .sharedBytes:
        var thumbnail = try image(stated).referring("thmb", 1)
        thumbnail.sharesBytes = 1
        sample = HEIFSample(primary, thumbnail)
      }
      return sample
    }

    /// The items that stay as they are.
    var still: Set<Int> {
      switch self {
      case .gainMapOfTwo, .toneMapped, .toneMappedAlone: [3]
      case .hidden: [2]
      default: []
      }
    }
  }

  private static func properties(_ orientation: Orientation) -> [[UInt8]] {
    let imir = HEIFSample.box("imir", [1])
    return switch orientation {
    case .up: []
    case .upMirrored: [imir]
    case .down: [HEIFSample.irot(2)]
    case .downMirrored: [HEIFSample.irot(2), imir]
    case .leftMirrored: [HEIFSample.irot(3), imir]
    case .right: [HEIFSample.irot(3)]
    case .rightMirrored: [HEIFSample.irot(1), imir]
    case .left: [HEIFSample.irot(1)]
    }
  }

  private func edit(
    _ file: [UInt8],
    _ transform: OrientationTransform,
    _ policy: Options.ConflictPolicy = .skip
  ) throws -> Outcome {
    var options = Options()
    options.onConflict = policy
    options.makesUndo = true
    return try Rewriter(.normalize(then: transform), options: options).rewrite(file)
  }

  private func orientations(_ file: [UInt8]) throws -> [Int: OrientationTransform?] {
    let directory = try MediaFile(file.span).directory
    return try directory.items.mapValues { try ImageTransforms.orientation(of: $0, file.span) }
  }

  private func contents(_ file: [UInt8]) throws -> [[UInt8]] {
    let directory = try MediaFile(file.span).directory
    return try directory.order.map { try directory.content(of: directory.item($0), file.span) }
  }

  @Test(arguments: Together.allCases, Orientation.allCases)
  func `Images that are displayed together are transformed together`(
    structure: Together,
    orientation: Orientation
  ) throws {
    let file = try structure.sample(Self.properties(orientation)).bytes
    let old = try orientations(file)
    for transform in OrientationTransform.allCases where transform != .none {
      let rewrite = try edit(file, transform).rewritten()
      let new = try orientations(rewrite.bytes)
      for (item, stated) in old {
        guard !structure.still.contains(item) else {
          #expect(new[item] == stated)
          continue
        }
        // Without rotation and mirror, the tone-mapped image is displayed as the others are.
        guard stated != nil || structure != .sharedByToneMapped || item != 3 else {
          #expect(new[item] == .some(nil))
          continue
        }
        #expect((new[item] ?? nil) ?? .none == (stated ?? .none).then(transform))
      }
      #expect(try contents(rewrite.bytes) == contents(file))
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == file)
    }
  }

  /// The structures that stop a change, with a part of the reason.
  enum Obstacle: String, CaseIterable, Sendable {
    case animation = "animation or a video (moov)"
    case twoMeta = "more than one box meta"
    case anotherImage = "is another image"
    case derivedPrimary = "item 1 (iden) is derived"
    case derivedFromPrimary = "item 2 (iden) is derived"
    case toneMappedPrimary = "the primary image is derived from others (tmap)"
    case otherGroup = "a group of images of another kind (albc)"
    case derivedMember = "item 2 (iden) is derived from other"
    case unlikeAlpha = "does not have the rotation and mirroring of item 1"
    case unlikeGainMap = "do not have the same rotation and mirroring"
    case unlikeToneMapped = "does not have the rotation and mirroring of the images"
    case lateCrop = "crop (clap) of item 1 is not its first"
    case mirrorFirst = "mirrored before it is rotated"
    case twoRotations = "more than one property irot"
    case noSize = "item 2 has no size"
    case dataReference = "item 2 is located by a data reference"
    case sharedBytes = "item 2 shares bytes with another one"
    case rotatedTile = "a tile of item 1"
    case unknownReference = "in a way that is not known (base)"

    func sample() throws -> HEIFSample {
      let image = try HEIFSample.image()
      var hidden = image
      hidden.isHidden = true
      let (irot, size) = (HEIFSample.irot(1), HEIFStructureTests.size)
      func thumbnail() -> HEIFSample.Item { image.referring("thmb", 1) }
      func group(_ type: String, _ items: HEIFSample.Item...) -> HEIFSample {
        var sample = HEIFSample(items: items)
        sample.groups = [(type, [1, 2])]
        return sample
      }
      func with(_ trailer: [UInt8]) -> HEIFSample {
        var sample = HEIFSample(image)
        sample.trailer = trailer
        return sample
      }
      func derived(_ type: String, _ inputs: Int...) -> HEIFSample.Item {
        var item = HEIFSample.Item(type, [], [size])
        item.references = [("dimg", inputs)]
        return item
      }
      switch self {
      case .animation: return with(HEIFSample.box("moov"))
      case .twoMeta: return with(HEIFSample.fullBox("meta"))
      case .anotherImage: return HEIFSample(image, image)
      case .derivedPrimary: return HEIFSample(derived("iden", 2), hidden)
      case .derivedFromPrimary: return HEIFSample(image, derived("iden", 1))
      case .toneMappedPrimary: return HEIFSample(derived("tmap", 2, 3), image, hidden)
      case .otherGroup: return group("albc", image, image)
      case .derivedMember: return group("ster", image, derived("iden", 3), hidden)
      case .unlikeAlpha:
        return HEIFSample(
          image.with(irot),
          hidden.with(HEIFStructureTests.alpha).referring("auxl", 1)
        )
      case .unlikeGainMap: return HEIFSample(image.with(irot), hidden, derived("tmap", 1, 2))
      case .unlikeToneMapped: return HEIFSample(image, hidden, derived("tmap", 1, 2).with(irot))
      case .lateCrop: return HEIFSample(image.with(irot).with(HEIFSample.clap(40, 60)))
      case .mirrorFirst: return HEIFSample(image.with(HEIFSample.box("imir", [0])).with(irot))
      case .twoRotations: return HEIFSample(image.with(irot).with(irot))
      case .noSize:
        var other = thumbnail()
        other.properties.removeLast()
        return HEIFSample(image, other)
      case .dataReference:
        var other = thumbnail()
        other.dataReference = 1
        return HEIFSample(image, other)
      case .sharedBytes:
        var exif = HEIFSample.Item("Exif", [0, 0, 0, 0, 0, 0, 0, 0]).referring("cdsc", 1)
        exif.sharesBytes = 1
        return HEIFSample(image, exif)
      case .rotatedTile:
        let tiles = Array(repeating: hidden.with(irot), count: 4)
        return HEIFSample(items: [HEIFSample.grid(2, 2, 128, 192, [2, 3, 4, 5])] + tiles)
      case .unknownReference: return HEIFSample(image, hidden.referring("base", 1))
      }
    }
  }

  @Test(arguments: Obstacle.allCases)
  func `A structure in which not all images would follow is skipped with its name`(
    obstacle: Obstacle
  ) throws {
    let file = try obstacle.sample().bytes
    for transform in OrientationTransform.allCases where transform != .none {
      let reason = try #require(try edit(file, transform).plan.action.reason)
      #expect(reason.code == .imageStructure)
      #expect(reason.cause.contains(obstacle.rawValue))
    }
  }

  @Test(arguments: Obstacle.allCases)
  func `An audit names the structure, and advises nothing that is then refused`(
    obstacle: Obstacle
  ) throws {
    var sample = try obstacle.sample()
    // Orientation 4 in an Exif block without another entry.
    let exif: [UInt8] =
      Array("MM".utf8) + [
        0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 4, 0, 0, 0, 0, 0, 0,
      ]
    sample.items.append(HEIFSample.Item("Exif", [0, 0, 0, 0] + exif).referring("cdsc", 1))
    let file = sample.bytes
    let action = try Rewriter().audit(file).plan.action
    #expect(action.reason?.code == .imageStructure)
    for policy in [Options.ConflictPolicy.skip, .trustTag, .resetTag] {
      let outcome = try edit(file, .none, policy)
      #expect(outcome.plan.action.reason?.code == .imageStructure)
      if policy != .resetTag { #expect(outcome.plan.action == action) }
    }
  }

  @Test func `Bytes after the boxes are kept, and named`() throws {
    let file = try Fixture.bytes("heif/trailer.heic")
    let rewrite = try edit(file, .flipVertical).rewritten()
    #expect(rewrite.bytes.suffix(40) == file.suffix(40))
    #expect(rewrite.plan.notes.contains { $0.text.contains("SEFT of Samsung phones) are kept") })
    #expect(try Rewriter().audit(file).facts.trailingBytes == 56)
  }

  @Test func `Contents that cannot be located do not count as unchanged`() throws {
    let file = try Obstacle.dataReference.sample().bytes
    let items = try Self.items(file)
    #expect(!items.hasContents(of: items, file, file))
  }

  /// The box `meta` of a file.
  private static func items(_ file: [UInt8]) throws -> ItemBox {
    let meta = try #require(try MediaFile(file.span).boxes.first { $0.type == "meta" })
    let bytes = Array(file[meta.range])
    let box = try Box(header: bytes.span, at: 0, of: bytes.count)
    let start = meta.range.lowerBound
    let directory = try ItemDirectory(bytes.span, box, in: (start, file.count))
    return ItemBox(bytes, at: start, of: file.count, directory)
  }

  /// Files whose items are each referred to by many others.
  enum Crowd: CaseIterable, Sendable {
    case groups, tiles, toneMapped

    func sample() throws -> HEIFSample {
      let image = try HEIFSample.image()
      var other = image
      other.isHidden = true
      var sample: HEIFSample
      switch self {
      case .groups:
        other.sharesBytes = 1
        sample = HEIFSample(items: [image] + Array(repeating: other, count: 1_999))
        let group = (type: "altr", members: Array(1...2_000))
        sample.groups = Array(repeating: group, count: 500)
      case .tiles:
        other.sharesBytes = 2
        let tiles = Array(repeating: 2, count: 255 * 255)
        let auxiliary = Array(repeating: other.referring("auxl", 2), count: 16_000)
        let grid = HEIFSample.grid(255, 255, 255 * 96, 255 * 64, tiles)
        sample = HEIFSample(items: [grid, image] + auxiliary)
      case .toneMapped:
        var toneMapped = HEIFSample.Item("tmap", [0], [HEIFStructureTests.size])
        toneMapped.references = [("dimg", [1, 2])]
        for _ in 0..<20_000 { toneMapped.references.append(("cdsc", [])) }
        let targets = Array(repeating: 3, count: 60_000)
        var map = other
        map.references = [("auxl", targets), ("auxl", targets)]
        sample = HEIFSample(image, other, toneMapped, map)
      }
      sample.sharesProperties = true
      return sample
    }

    /// The number of images that are displayed and have their own rotation and mirror.
    var count: Int {
      switch self {
      case .groups: 2_000
      case .tiles: 1
      case .toneMapped: 3
      }
    }
  }

  @Test(arguments: Crowd.allCases)
  func `Groups and tiles are visited once, however often items refer to them`(
    crowd: Crowd
  ) throws {
    let file = try crowd.sample().bytes
    let start = ContinuousClock.now
    let images = try Self.items(file).images.get()
    #expect(images.orientations.count == crowd.count)
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}

extension Action {
  /// Why the file is skipped; nil if it is not.
  var reason: Reason? { if case .skip(let reason) = self { reason } else { nil } }
}
