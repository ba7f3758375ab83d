import Fixtures
import ImageOrientation
import JPEGCore
import Testing

struct SequentialDecoderTests {
  @Test(arguments: losslessImages.filter { !$0.isProgressive })
  func `Sequential images are decoded and transformed as by jpegtran`(fixture: Fixture) throws {
    try compareWithJpegtran(try fixture.bytes())
  }

  @Test func `Every sampling of libjpeg is decoded as by jpegtran`() throws {
    let pixels = try Tool.djpeg(try Fixture.bytes("orientation/aligned-1.jpg"))
    var files = 0
    for luma in ["1x1", "2x1", "1x2", "2x2", "3x1", "4x1", "1x4", "4x2", "2x4", "1x3"] {
      for chroma in ["1x1,1x1", "2x1,2x1", "1x2,1x2", "2x2,2x2", "4x1,4x1", "1x1,2x1", "2x1,1x1"] {
        let jpeg = try Tool.run("cjpeg", ["-sample", "\(luma),\(chroma)"], input: pixels)
        // Too many blocks in an MCU, or fractions.
        guard jpeg.status == 0, !jpeg.output.isEmpty else { continue }
        files += 1
        let photo = try ImageFile(jpeg.output)
        for transform in [OrientationTransform.none, .rotate90, .rotate180]
        where photo.frame.isLossless(under: transform) {
          let expected = try photo.transformedByJpegtran(transform).decoded()
          #expect(
            try photo.decoded(transform: transform).isEqual(to: expected),
            "\(photo.frame.factors), \(transform)"
          )
        }
      }
    }
    #expect(files > 20)
  }

  @Test(arguments: ["orientation/aligned-6.jpg", "coding/restart-rows.jpg"])
  func `Data that is truncated anywhere is damaged`(path: String) throws {
    let photo = try ImageFile(try Fixture.bytes(path))
    let data = photo.container.scans[0].data
    for length in 0..<data.count {
      let cut = photo.bytes[..<(data.lowerBound + length)] + [0xFF, 0xD9]
      #expect(try ImageFile(Array(cut)).decodeError()?.isDamage == true, "at \(length)")
    }
  }

  @Test
  func `An RST after the last interval and the bytes after it are recorded`() throws {
    let photo = try ImageFile(try Fixture.bytes("coding/restart-rows.jpg"))
    let data = photo.container.scans[0].data
    func with(_ more: [UInt8]) throws -> ImageFile {
      var bytes = photo.bytes
      bytes.insert(contentsOf: more, at: data.upperBound)
      return try ImageFile(bytes)
    }
    // Four rows of MCUs, so three restart markers.
    for (more, hasRestart, strayBytes) in [
      ([], false, []), ([0xFF, 0xD3], true, []), ([0], false, [0]),
      ([0xFF, 0], false, [0xFF, 0]), ([1, 2, 3, 4, 5, 6, 7, 8], false, [1, 2, 3, 4, 5, 6, 7, 8]),
      ([0xFF, 0xD3, 5, 0xFF, 0], true, [5, 0xFF, 0]),
      ([0xFF, 0xD4], false, [0xFF, 0xD4]), ([1, 0xFF, 0xD3], false, [1, 0xFF, 0xD3]),
      ([0xFF, 0xD3, 0xFF, 0xD4], true, [0xFF, 0xD4]),
    ] as [([UInt8], Bool, [UInt8])] {
      let file = try with(more)
      let (image, info) = try file.decode()
      #expect(CoefficientImage(image).isEqual(to: try photo.decoded()))
      #expect(info.scans[0].endsWithRestart == hasRestart, "\(more)")
      #expect(info.scans[0].strayBytes == strayBytes)
      #expect(info.strayByteCount == strayBytes.count)
      #expect(info.isDefault == more.isEmpty)
      #expect(try file.recoded(.given, info) == file.bytes)
    }
    let restarts = data.filter {
      photo.bytes[$0] == 0xFF && (0xD0...0xD7).contains(photo.bytes[$0 + 1])
    }
    #expect(restarts.count == 3)
    let interval = Array(photo.bytes[restarts[2]..<data.upperBound])
    #expect(try with(interval).decode().info.scans[0].strayBytes == interval)
  }

  @Test func `Bytes before restart markers are recorded, and other markers there are damage`()
    throws
  {
    let photo = try ImageFile(try Fixture.bytes("coding/restart-rows.jpg"))
    let restarts = photo.container.scans[0].data.filter {
      photo.bytes[$0] == 0xFF && (0xD0...0xD7).contains(photo.bytes[$0 + 1])
    }
    for (number, place) in restarts.enumerated() {
      func with(_ more: [UInt8]) throws -> ImageFile {
        try ImageFile(photo.bytes[..<place] + more + photo.bytes[place...])
      }
      for more in [[0], [0xFF], [1, 0xFF, 0, 0xFF, 0xFF], [UInt8](repeating: 3, count: 999)] {
        let file = try with(more)
        let (image, info) = try file.decode()
        #expect(CoefficientImage(image).isEqual(to: try photo.decoded()))
        #expect(info.scans[0].intervalBytes == [number: more])
        #expect(info.strayByteCount == more.count && info.version == 2)
        #expect(try file.recoded(.given, info) == file.bytes)
      }
      for more: [UInt8] in [[0xFF, 0xD5], [1, 2, 0xFF, 0xD7, 3]] {
        #expect(try with(more).decodeError()?.isDamage == true, "\(more)")
      }
    }
  }

  @Test func `Tables that the standard does not allow are declined`() throws {
    let photo = try ImageFile(try Fixture.bytes("orientation/aligned-6.jpg"))
    let definition = try #require(
      photo.container.segments.first { $0.marker == .defineHuffmanTables }
    )
    let counts = definition.payload.lowerBound + 1
    let longest = try #require((1..<16).last { photo.bytes[counts + $0] >= 3 })
    var bytes = photo.bytes
    // Three codes of one bit.
    bytes[counts] += 3
    bytes[counts + longest] -= 3
    #expect(try ImageFile(bytes).decodeError()?.isUnsupported == true)
    // A category above 15 in a table of differences.
    bytes = photo.bytes
    #expect(bytes[definition.payload.lowerBound] == 0)
    bytes[counts + 16] = 0x1B
    #expect(try ImageFile(bytes).decodeError()?.isUnsupported == true)
  }

  @Test(arguments: [false, true])
  func `A coefficient that is out of range is damage, also outside of the window`(
    isProgressive: Bool
  ) throws {
    var generator = SeededGenerator(seed: 14)
    typealias Scan = BlankImage.Scan
    let scans =
      isProgressive
      ? [Scan(components: [0], spectrum: 0...0), Scan(components: [0], spectrum: 1...63)]
      : [Scan(components: [0])]
    let blank = try BlankImage(
      width: 16,
      height: 16,
      [0x11],
      isProgressive: isProgressive,
      scans,
      using: &generator
    )
    for (value, position, isOutOfRange) in [
      (16_384, 9, true), (-16_384, 9, true), (.max, 9, true), (-.max, 63, true),
      (16_383, 9, false), (-16_383, 63, false),
      (16_384, 0, true), (-16_384, 0, true), (16_383, 0, false), (-16_383, 0, false),
    ] as [(Int16, Int, Bool)] {
      var image = blank.image(largest: 0, sparsity: 0, using: &generator)
      image.coefficients[position] = value
      image.masks[0] = 1 << UInt64(position)
      let photo = try ImageFile(try blank.coded(image))
      for window in [nil, PixelRectangle(x: 8, y: 8, width: 8, height: 8)] {
        let error = try photo.decodeError(in: window)
        #expect((error?.isDamage == true) == isOutOfRange, "\(value) at \(position)")
      }
      if !isOutOfRange { #expect(try photo.decoded().isEqual(to: image)) }
    }
  }
}

extension Fixture {
  /// Whether the image is a progressive one.
  var isProgressive: Bool { (try? ImageFile(bytes()))?.frame.process.isProgressive == true }
}

/// Decodes an image and a part of it with each transform, and expects the results of jpegtran.
func compareWithJpegtran(_ bytes: [UInt8]) throws {
  let photo = try ImageFile(bytes)
  for window in [photo.frame.bounds, photo.interior].compactMap(\.self) {
    for transform in OrientationTransform.allCases
    where photo.frame.isLossless(window, under: transform) {
      let expected = try photo.transformedByJpegtran(
        transform,
        in: window == photo.frame.bounds ? nil : window
      ).decoded()
      #expect(
        try photo.decoded(in: window, transform: transform).isEqual(to: expected),
        "\(transform)"
      )
    }
  }
}
