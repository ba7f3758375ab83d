import Fixtures
import ImageOrientation
import Testing
import Upright

/// HEIF files whose primary image no program can decode, and those that some programs decode all the same.
struct HEIFDamageTests {
  /// What is missing or contradicts itself, with a part of the reason.
  enum Damage: String, CaseIterable, Sendable {
    case noDescription = "item 1 (grid): its description is not complete"
    case otherDescription = "of type grid: it has 4 tiles instead of 1×25"
    case noTile = "it has 3 tiles instead of 2×2"
    case smallTiles = "do not cover 400×120"
    case noConfiguration = "there is no box hvcC"
    case noContent = "an HEVC item has 0 coded images instead of one"
    case ofItself = "item 1 refers to itself"
    case missingTile = "item 9 is missing"

    func sample() throws -> HEIFSample {
      var tile = try HEIFSample.image()
      tile.isHidden = true
      var grid = HEIFSample.grid(2, 2, 180, 120, [2, 3, 4, 5])
      var tiles = Array(repeating: tile, count: 4)
      switch self {
      case .noDescription: grid.data = []
      case .otherDescription: grid.data = Array("\0\0\0\u{18}ftyp".utf8)
      case .noTile: grid.references = [("dimg", [2, 3, 4])]
      case .smallTiles: grid = HEIFSample.grid(2, 2, 400, 120, [2, 3, 4, 5])
      case .noConfiguration: for index in tiles.indices { tiles[index].properties.removeFirst() }
      case .noContent: for index in tiles.indices { tiles[index].data = [] }
      case .ofItself: grid.references = [("dimg", [1, 3, 4, 5])]
      case .missingTile: grid.references = [("dimg", [2, 3, 4, 9])]
      }
      return HEIFSample(items: [grid.with(HEIFSample.irot(3))] + tiles)
    }
  }

  private static let requests: [Request] = [
    .normalize(), .normalize(then: .rotate90), .normalize(then: .flipHorizontal), .tag(.set(.up)),
  ]

  @Test(arguments: Damage.allCases)
  func `An image that no program can decode is neither unchanged nor rotated`(
    damage: Damage
  ) throws {
    let file = try damage.sample().bytes
    let audit = try Rewriter().audit(file)
    for request in Self.requests {
      let outcome = try Rewriter(request).rewrite(file)
      for action in [outcome.plan.action, audit.plan.action] {
        #expect(action.reason?.code == .imageStructure)
        #expect(action.reason?.cause.contains("no program can decode the image") == true)
        if damage != .noDescription {
          #expect(action.reason?.cause.contains(damage.rawValue) == true, "\(action)")
        }
      }
    }
  }

  @Test func `A coded image that ends within a unit is found where the whole file is read`() throws
  {
    var image = try HEIFSample.image()
    image.data.removeLast(20)
    let file = HEIFSample(image.with(HEIFSample.irot(3))).bytes
    #expect(try Rewriter().audit(file).plan.action.reason == nil)
    for request in Self.requests.dropLast() {
      let outcome = try Rewriter(request).rewrite(file)
      #expect(outcome.plan.action.reason?.code == .imageStructure)
    }
  }

  /// What some decoders accept, or what cannot be judged.
  enum Oddity: CaseIterable, Sendable {
    case noSize, otherSize, otherGridSize, twoConfigurations, wideCrop, overlayOutside
    case alphaWithoutSize, otherCoding, spareTiles

    func sample() throws -> HEIFSample {
      var image = try HEIFSample.image()
      var hidden = image
      hidden.isHidden = true
      switch self {
      case .noSize:
        image.properties.removeLast()
        return HEIFSample(image)
      case .otherSize:
        image.properties[image.properties.count - 1] = HEIFSample.ispe(95, 64)
        return HEIFSample(image)
      case .otherGridSize:
        var grid = HEIFSample.grid(2, 2, 180, 120, [2, 3, 4, 5])
        grid.properties = [HEIFSample.ispe(180, 110)]
        return HEIFSample(items: [grid] + Array(repeating: hidden, count: 4))
      case .twoConfigurations:
        image.properties.append(image.properties[0])
        return HEIFSample(image)
      case .wideCrop: return HEIFSample(image.with(HEIFSample.clap(200, 60)))
      case .overlayOutside:
        return HEIFSample(HEIFSample.overlay(96, 64, [(2, -10, 0), (3, 50, 20)]), hidden, hidden)
      case .alphaWithoutSize:
        hidden.properties.removeLast()
        let alpha = hidden.with(HEIFSample.auxiliary("urn:mpeg:hevc:2015:auxid:1"))
        return HEIFSample(image, alpha.referring("auxl", 1))
      case .otherCoding:
        image.type = "unci"
        return HEIFSample(image)
      case .spareTiles:
        let grid = HEIFSample.grid(2, 2, 90, 60, [2, 3, 4, 5])
        return HEIFSample(items: [grid] + Array(repeating: hidden, count: 4))
      }
    }
  }

  @Test(arguments: Oddity.allCases)
  func `What some programs decode is left as it is`(oddity: Oddity) throws {
    let file = try oddity.sample().bytes
    let action = try Rewriter().rewrite(file).plan.action
    guard case .unchanged = action else {
      Issue.record("\(action)")
      return
    }
  }

  @Test func `A mirrored image of more than eight bits per sample is noted`() throws {
    let file = try Fixture.bytes("heif/ten-bits.heic")
    func notes(_ transform: OrientationTransform, of file: [UInt8]) throws -> Bool {
      let plan = try Rewriter(.normalize(then: transform)).plan(file)
      return plan.notes.contains { $0.code == .mirrorNotShown && $0.text.contains("10 bits") }
    }
    for transform in OrientationTransform.allCases {
      #expect(try notes(transform, of: file) == transform.mirrors)
      #expect(try !notes(transform, of: try Fixture.bytes("heif/plain.heic")))
    }
    let mirrored = try Rewriter(.normalize(then: .flipVertical)).rewrite(file).rewritten().bytes
    #expect(try !notes(.rotate90, of: mirrored))
  }
}
