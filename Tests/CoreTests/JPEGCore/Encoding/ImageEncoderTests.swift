import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing

/// Images of one interleaved scan, for which jpegtran writes the same scan as Upright.
private let interleaved = losslessImages.filter { fixture in
  guard let photo = try? ImageFile(fixture.bytes()), fixture.conventions == nil,
    (try? photo.huffmanTables())?.isEmpty == false
  else { return false }
  return photo.container.scans.count == 1 && photo.frame.process == .baseline
}

struct ImageEncoderTests {
  @Test(arguments: losslessImages.filter(\.hasPixels))
  func `Re-encoding the scans is lossless with all kinds of tables`(fixture: Fixture) throws {
    let photo = try ImageFile(try fixture.bytes())
    let (image, pixels) = (try photo.decoded(), try Tool.djpeg(photo.bytes))
    for tables in [ImageEncoder.Tables.asOriginal, .optimal] {
      let recoded = try ImageFile(try photo.recoded(tables))
      #expect(try recoded.decoded().isEqual(to: image))
      #expect(try Tool.djpeg(recoded.bytes) == pixels)
      #expect(recoded.frame == photo.frame)
      #expect(recoded.container.scans.count == photo.container.scans.count)
    }
  }

  @Test(arguments: interleaved)
  func `A scan with the example tables is coded as by libjpeg, byte for byte`(
    fixture: Fixture
  ) throws {
    let photo = try ImageFile(try fixture.bytes())
    guard try photo.huffmanTables().allSatisfy(\.isStandard) else { return }
    #expect(try photo.recoded(.asOriginal) == photo.bytes)
  }

  @Test(arguments: losslessImages.filter { $0.isProgressive && $0.conventions == nil })
  func `A progressive image that libjpeg optimized does not get larger`(fixture: Fixture) throws {
    let photo = try ImageFile(try fixture.bytes())
    let recoded = try ImageFile(try photo.recoded(.asOriginal))
    // The order of equally frequent symbols can cost a bit.
    #expect(recoded.codedSize <= photo.codedSize + 1)
    #expect(recoded.bytes.count <= photo.bytes.count + 8)
  }

  @Test(arguments: interleaved)
  func `Optimized tables are as good as those of jpegtran`(fixture: Fixture) throws {
    let photo = try ImageFile(try fixture.bytes())
    let ours = try ImageFile(try photo.recoded(.optimal))
    let restart = try restartOptions(photo)
    let theirs = try ImageFile(try Tool.jpegtran(photo.bytes, ["-optimize"] + restart))
    #expect(ours.codedSize <= theirs.codedSize)
    let sizes = try [ours, theirs].map {
      try $0.huffmanTables().reduce(0) { $0 + $1.serialized.count }
    }
    #expect(sizes[0] <= sizes[1])
  }

  /// jpegtran removes restart markers by default.
  private func restartOptions(_ photo: ImageFile) throws -> [String] {
    guard
      let segment = photo.container.segments.first(where: {
        $0.marker == .defineRestartInterval
      })
    else { return [] }
    let interval = try #require(photo.bytes.uint16(at: segment.payload.lowerBound))
    return ["-restart", "\(interval)B"]
  }

  @Test(arguments: BlankImage.samplings, [false, true])
  func `Random images with random scans are decoded again, also by jpegtran`(
    factors: [UInt8],
    isProgressive: Bool
  ) throws {
    let seed = factors.reduce(isProgressive ? 1 : 0) { $0 * 256 + UInt64($1) }
    var generator = SeededGenerator(seed: seed)
    for (largest, sparsity) in [(1, 60), (7, 5), (127, 3), (1_023, 1), (1_023, 40)]
      as [(Int16, Int)]
    {
      let blank = try BlankImage(factors, isProgressive: isProgressive, using: &generator)
      let image = blank.image(largest: largest, sparsity: sparsity, using: &generator)
      let file = try ImageFile(try blank.coded(image))
      let (own, info) = try file.decode()
      #expect(CoefficientImage(own).isEqual(to: image))
      #expect(info.isDefault)
      #expect(try file.transformedByJpegtran(.none).decoded().isEqual(to: image))
    }
  }

  @Test func `Tables without a code for a coefficient are replaced, unless they are given`()
    throws
  {
    let photo = try ImageFile(try Fixture.bytes("sampling/444-tag-6.jpg"))
    let encoder = ImageEncoder(try photo.parameters(), frame: photo.frame)
    var image = try photo.decoded()
    image.coefficients[9] = 1_024
    image.masks[0] |= 1 << 9
    let sparse = SparseImage(image)
    #expect(throws: ImageEncoder.Failure.noCode) { try encoder.edits(sparse, tables: .given) }
    let edits = try encoder.edits(sparse, tables: .asOriginal)
    #expect(try ImageFile(edits.applied(to: photo.bytes)).decoded().isEqual(to: image))
  }
}
