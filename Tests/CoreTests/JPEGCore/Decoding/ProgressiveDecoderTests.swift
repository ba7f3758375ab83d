import Fixtures
import ImageOrientation
import JPEGCore
import Testing

struct ProgressiveDecoderTests {
  @Test func `Coefficients out of range are an error`() throws {
    let script = "0,1,2: 0-0, 0, 0; 0: 1-63, 0, 0; 1: 1-63, 0, 0; 2: 1-63, 0, 0;"
    let scratch = try Scratch()
    let path = try scratch.write(Array(script.utf8), to: "script")
    let pixels = try Tool.djpeg(try Fixture.bytes("orientation/aligned-6.jpg"))
    var file = try Tool.run("cjpeg", ["-quality", "100", "-scans", path], input: pixels).output
    // Of the second scan, the bits that other scans are to refine.
    let header = try #require(file.firstRange(of: [0xFF, 0xDA, 0, 8, 1, 1]))
    #expect(file[header.upperBound + 1..<header.upperBound + 4] == [1, 63, 0])
    #expect(try ImageFile(file).decoded().coefficients.contains { abs($0) >= 4 })
    file[header.upperBound + 3] = 13
    #expect(throws: DecodeError.self) { try ImageFile(file).decoded() }
  }

  @Test(arguments: losslessImages.filter(\.isProgressive))
  func `Progressive images are decoded and transformed as by jpegtran`(fixture: Fixture) throws {
    try compareWithJpegtran(try fixture.bytes())
  }

  /// Scripts of cjpeg: each line a scan, its components, spectral selection and successive approximation.
  @Test(
    arguments: [
      nil, "0,1,2: 0-0, 0, 0; 0: 1-63, 0, 0; 1: 1-63, 0, 0; 2: 1-63, 0, 0;",
      "0: 0-0, 0, 0; 1: 0-0, 0, 0; 2: 0-0, 0, 0; 2: 1-63, 0, 0; 0: 1-63, 0, 0; 1: 1-63, 0, 0;",
      """
      0,1: 0-0, 0, 2; 2: 0-0, 0, 1; 0: 1-5, 0, 3; 0: 6-63, 0, 2; 0,1: 0-0, 2, 1; 1: 1-63, 0, 1;
      2: 0-0, 1, 0; 0: 6-63, 2, 1; 0: 1-5, 3, 2; 2: 1-63, 0, 0; 0,1: 0-0, 1, 0; 0: 6-63, 1, 0;
      0: 1-5, 2, 1; 1: 1-63, 1, 0; 0: 1-5, 1, 0;
      """,
    ] as [String?],
    ["2x2", "2x1", "4x1", "1x3", "1x1,2x2,2x2", "2x1,1x1,2x1"]
  )
  func `Images with any scans and sampling are decoded as by jpegtran`(
    script: String?,
    sampling: String
  ) throws {
    let scratch = try Scratch()
    var options = ["-sample", sampling, "-progressive"]
    if let script { options += ["-scans", try scratch.write(Array(script.utf8), to: "script")] }
    let pixels = try Tool.djpeg(try Fixture.bytes("coding/1x1-upright.jpg"))
    for (pixels, restarts) in [
      (try Tool.djpeg(try Fixture.bytes("orientation/unaligned-1.jpg")), ["-restart", "1"]),
      (pixels, []),
    ] {
      let jpeg = try Tool.run("cjpeg", options + restarts, input: pixels)
      #expect(jpeg.status == 0, "\(jpeg.errorText)")
      let photo = try ImageFile(jpeg.output)
      for transform in OrientationTransform.allCases where photo.frame.isLossless(under: transform)
      {
        let expected = try photo.transformedByJpegtran(transform).decoded()
        #expect(try photo.decoded(transform: transform).isEqual(to: expected), "\(transform)")
      }
      let (_, info) = try photo.decode()
      #expect(info.isDefault)
      #expect(try photo.recoded(.given, info) == photo.bytes)
    }
  }

  @Test(arguments: ["coding/progressive.jpg", "coding/progressive-restarts.jpg"])
  func `A scan that is truncated anywhere is damaged`(path: String) throws {
    let photo = try ImageFile(try Fixture.bytes(path))
    for scan in photo.container.scans {
      for length in stride(from: 0, to: scan.data.count, by: max(1, scan.data.count / 50)) {
        var bytes = photo.bytes
        bytes.removeSubrange(scan.data.lowerBound + length..<scan.data.upperBound)
        #expect(try ImageFile(bytes).decodeError()?.isDamage == true, "\(scan.data) at \(length)")
      }
    }
  }

  @Test func `Stray bytes after each scan are recorded`() throws {
    let photo = try ImageFile(try Fixture.bytes("coding/progressive-restarts.jpg"))
    for (number, scan) in photo.container.scans.enumerated() {
      for more in [
        [0x11], [0xFF, 0, 1, 2], [UInt8](repeating: 0, count: 8), [UInt8](repeating: 0, count: 9),
        [UInt8](repeating: 0, count: 1025), [7, 0xFF, 0xD5, 7],
      ] as [[UInt8]] {
        var bytes = photo.bytes
        bytes.insert(contentsOf: more, at: scan.data.upperBound)
        let file = try ImageFile(bytes)
        let (image, info) = try file.decode()
        #expect(CoefficientImage(image).isEqual(to: try photo.decoded()))
        #expect(info.scans[number].strayBytes == more && info.strayByteCount == more.count)
        #expect(info.forTransformedImage.strayByteCount == 0)
        #expect(try file.recoded(.given, info) == bytes)
      }
    }
  }

  @Test(arguments: [
    [false, true], [true, false], [true, true], [false, true, false], [true, false, true],
    [false, false, true],
  ])
  func `Padding blocks have only the bits of interleaved scans`(isInterleaved: [Bool]) throws {
    var generator = SeededGenerator(seed: 8)
    var scans: [BlankImage.Scan] = []
    for (step, isTogether) in isInterleaved.enumerated() {
      let low = isInterleaved.count - 1 - step
      for components in isTogether ? [[0, 1]] : [[0], [1]] {
        scans.append(
          BlankImage.Scan(
            components: components,
            spectrum: 0...0,
            high: step == 0 ? 0 : low + 1,
            low: low
          )
        )
      }
    }
    let blank = try BlankImage(
      width: 70,
      height: 41,
      [0x22, 0x11],
      isProgressive: true,
      scans,
      using: &generator
    )
    let image = blank.image(largest: 900, sparsity: 0, before: 1, using: &generator)
    let file = try ImageFile(try blank.coded(image))
    let (own, info) = try file.decode()
    #expect(CoefficientImage(own).isEqual(to: image))
    #expect(info.isDefault)
    #expect(try file.transformedByJpegtran(.none).decoded().isEqual(to: image))
    var given = info
    let place = PaddingBlock(component: 0, column: 9, row: 2)
    given.paddingBlocks[place] = [-303] + [Int16](repeating: 0, count: 63)
    let other = try ImageFile(try blank.coded(image, given))
    let (same, observed) = try other.decode()
    #expect(CoefficientImage(same).isEqual(to: image))
    // The coded bits may be equal to those of the block before.
    #expect(observed.isDefault == (other.bytes == file.bytes))
    #expect(try blank.coded(image, observed) == other.bytes)
  }

  @Test(
    arguments: [
      // AC coefficients before DC coefficients.
      [(1...63, 0, 0), (0...0, 0, 0)],
      // A bit is missing, coded twice, or out of order.
      [(0...0, 0, 2), (0...0, 1, 0)], [(0...0, 0, 1), (0...0, 1, 0), (0...0, 1, 0)],
      [(0...0, 0, 0), (1...63, 0, 1), (1...30, 2, 1)], [(0...0, 0, 0), (1...63, 1, 0)],
      [(0...0, 0, 0), (1...63, 0, 0), (5...5, 0, 0)],
      // No DC coefficients.
      [],
    ] as [[(ClosedRange<Int>, Int, Int)]]
  )
  func `Scans whose successive approximation is not continuous are declined`(
    scans: [(spectrum: ClosedRange<Int>, high: Int, low: Int)]
  ) throws {
    var generator = SeededGenerator(seed: 5)
    let blank = try BlankImage(
      width: 8,
      height: 8,
      [0x11, 0x11],
      isProgressive: true,
      [BlankImage.Scan(components: [1], spectrum: 0...0)]
        + scans.map {
          BlankImage.Scan(components: [0], spectrum: $0.spectrum, high: $0.high, low: $0.low)
        },
      using: &generator
    )
    #expect(try blank.photo.decodeError()?.isUnsupported == true)
  }
}
