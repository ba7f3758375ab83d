import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform

/// The decoder of sequential pictures, against TurboJPEG's.
struct SequentialDecodingTests {
  @Test(arguments: exactFixtures)
  func `Sequential pictures are read as TurboJPEG reads them, turned and coded`(
    fixture: Fixture
  ) throws {
    let picture = try Picture(try fixture.bytes())
    guard CoefficientReader.canRead(picture.frame, isInterleaved: true) else { return }
    let stream = picture.container.decodableStream(picture.bytes)
    let script = try ScanScript(picture.container, frame: picture.frame, picture.bytes.span)
    for turn in Turn.allCases {
      for window in windows(picture.frame) where picture.frame.isExact(window, under: turn) {
        let placement = BlockPlacement(picture.frame, in: window, turn: turn)
        let own = script.coefficients(picture.bytes.span, placement, turn: turn)
        guard !picture.frame.process.isProgressive else {
          #expect(own == nil)
          continue
        }
        let sparse = try #require(own, "\(turn)")
        let expected = try CoefficientReader.read(
          stream,
          frame: picture.frame,
          in: window,
          turn: turn
        )
        #expect(isEqual(CoefficientImage(sparse), CoefficientImage(expected)))
        try compareCodes(picture, stream, window, turn)
      }
    }
  }

  /// Without a message that shows all coefficients.
  private func isEqual(_ a: CoefficientImage, _ b: CoefficientImage) -> Bool {
    a.planes == b.planes && a.coefficients == b.coefficients && a.masks == b.masks
  }

  /// All of a picture, and a part of it that begins and ends within.
  private func windows(_ frame: Frame) -> [PixelRectangle] {
    let mcu = frame.interleavedMCU
    let part = PixelRectangle(
      x: mcu.width,
      y: mcu.height,
      width: max(frame.width - 2 * mcu.width, 1) / mcu.width * mcu.width,
      height: max(frame.height - 2 * mcu.height, 1) / mcu.height * mcu.height
    )
    return part.width > 0 && part.height > 0 ? [frame.bounds, part] : [frame.bounds]
  }

  private func compareCodes(
    _ picture: Picture,
    _ stream: [UInt8],
    _ window: PixelRectangle,
    _ turn: Turn
  ) throws {
    let frame = picture.frame.cropped(to: window).turned(by: turn)
    let target = try ScanScript(picture.container, frame: frame, picture.bytes.span)
    guard let codes = target.codes(.given) else { return }
    let script = try ScanScript(picture.container, frame: picture.frame, picture.bytes.span)
    let placement = BlockPlacement(picture.frame, in: window, turn: turn)
    let own = script.coefficients(picture.bytes.span, placement, turn: turn, codes: codes)
    let coded = try #require(own)
    let expected = try CoefficientReader.read(
      stream,
      frame: picture.frame,
      in: window,
      turn: turn,
      codes: codes
    )
    #expect((try? target.edits(coded)) == (try? target.edits(expected)))
  }

  @Test(arguments: [
    "orientation/aligned-6.jpg", "coding/restart-rows.jpg", "coding/baseline-optimised.jpg",
    "sampling/grayscale-2x2-tag-6.jpg", "sampling/444-tag-6.jpg",
  ])
  func `What is read of damaged data is what TurboJPEG reads without a warning`(
    path: String
  ) throws {
    let picture = try Picture(try Fixture.bytes(path))
    let data = picture.container.scans[0].data
    var generator = SeededGenerator(seed: 0x5E0)
    var (read, refused) = (0, 0)
    func examine(_ bytes: [UInt8], _ what: String) {
      guard let damaged = try? Picture(bytes),
        let script = try? ScanScript(damaged.container, frame: damaged.frame, bytes.span),
        CoefficientReader.canRead(damaged.frame, isInterleaved: true)
      else { return }
      let placement = BlockPlacement(damaged.frame, in: damaged.frame.bounds, turn: .none)
      guard let own = script.coefficients(bytes.span, placement, turn: .none) else {
        refused += 1
        return
      }
      read += 1
      let isSame = (try? damaged.coefficients()).map { isEqual(CoefficientImage(own), $0) }
      #expect(isSame == true, "\(what)")
    }
    for length in data.indices { examine(Array(picture.bytes[..<length]), "cut at \(length)") }
    for round in 0..<1_500 {
      var bytes = picture.bytes
      // Headers and tables, too.
      let range = round.isMultiple(of: 3) ? 2..<data.upperBound : data
      for _ in 0...round % 3 {
        bytes[Int.random(in: range, using: &generator)] ^=
          1 << UInt8.random(in: 0...7, using: &generator)
      }
      examine(bytes, difference(picture.bytes, bytes))
    }
    for _ in 0..<500 {
      let places = (0..<2).map { _ in Int.random(in: data, using: &generator) }.sorted()
      let (start, end) = (places[0], places[1])
      examine(Array(picture.bytes[..<start] + picture.bytes[end...]), "without \(start)..<\(end)")
      examine(Array(picture.bytes[..<end] + picture.bytes[start...]), "\(start)..<\(end) twice")
    }
    // Most damage is noticed; what changes a value and nothing else is not.
    #expect(read > 20 && refused > 500, "\(read) \(refused)")
  }

  private func difference(_ original: [UInt8], _ damaged: [UInt8]) -> String {
    zip(original, damaged).enumerated().filter { $1.0 != $1.1 }
      .map { "\($0): \($1.0) → \($1.1)" }.joined(separator: ", ")
  }

  @Test func `Data behind the last MCU is left to TurboJPEG`() throws {
    let picture = try Picture(try Fixture.bytes("coding/restart-rows.jpg"))
    let data = picture.container.scans[0].data
    let markers = data.dropLast().filter {
      picture.bytes[$0] == 0xFF && (0xD0...0xD7).contains(picture.bytes[$0 + 1])
    }
    let last = try #require(markers.last)
    for more in [Array(picture.bytes[last..<data.upperBound]), [0xFF, 0xD3], [0], [0xFF, 0]] {
      var bytes = picture.bytes
      bytes.insert(contentsOf: more, at: data.upperBound)
      let damaged = try Picture(bytes)
      let script = try ScanScript(damaged.container, frame: damaged.frame, bytes.span)
      let placement = BlockPlacement(damaged.frame, in: damaged.frame.bounds, turn: .none)
      #expect(script.coefficients(bytes.span, placement, turn: .none) == nil, "\(more.count)")
    }
  }

  @Test(arguments: [0, 1, 5, 32])
  func `Whatever coefficients are coded, they are read again`(restartInterval: Int) throws {
    let picture = try Picture(try Fixture.bytes("sampling/420-tag-6.jpg"))
    var generator = SeededGenerator(seed: 0xC0EF)
    for (largest, sparsity) in [(1, 60), (7, 5), (127, 3), (128, 20), (1_023, 1), (1_023, 40)]
      as [(Int16, Int)]
    {
      let planes = CoefficientImage.planes(of: picture.frame)
      let count = planes.reduce(0) { $0 + $1.columns * $1.rows }
      var image = CoefficientImage(
        planes: planes,
        coefficients: (0..<count * 64).map { index in
          Int.random(in: 0...sparsity, using: &generator) > 0
            ? 0 : .random(in: -largest...largest, using: &generator)
        },
        masks: []
      )
      image.masks = (0..<count).map { block in
        CoefficientImage.mask(Array(image.coefficients[block * 64..<block * 64 + 64]))
      }
      let bytes = try picture.with(restartInterval: restartInterval)
      let base = try Picture(bytes)
      let script = try ScanScript(base.container, frame: base.frame, bytes.span)
      let coded = try script.edits(SparseImage(image), tables: .optimal).applied(to: bytes)
      let result = try Picture(coded)
      let own = try ScanScript(result.container, frame: result.frame, coded.span).coefficients(
        coded.span,
        BlockPlacement(result.frame, in: result.frame.bounds, turn: .none),
        turn: .none
      )
      let read = try #require(own)
      #expect(isEqual(CoefficientImage(read), image))
      #expect(isEqual(try result.coefficients(), image))
    }
  }

  @Test func `Tables that the standard does not allow are left to TurboJPEG`() throws {
    let picture = try Picture(try Fixture.bytes("orientation/aligned-6.jpg"))
    let definition = try #require(
      picture.container.segments.first { $0.marker == .defineHuffmanTables }
    )
    // One code more of each length than there may be, whether it is used or not.
    for length in 0..<16 {
      var bytes = picture.bytes
      bytes[definition.payload.lowerBound + 1 + length] = 255
      let damaged = try Picture(bytes)
      guard let script = try? ScanScript(damaged.container, frame: damaged.frame, bytes.span) else {
        continue
      }
      let placement = BlockPlacement(damaged.frame, in: damaged.frame.bounds, turn: .none)
      #expect(script.coefficients(bytes.span, placement, turn: .none) == nil)
    }
  }
}

extension Picture {
  /// The file with another restart interval before its scan, whose data stays as it is.
  fileprivate func with(restartInterval: Int) throws -> [UInt8] {
    guard restartInterval > 0,
      let scan = container.segments.first(where: { $0.marker == .startOfScan })
    else { return bytes }
    var result = bytes
    let segment = [0xFF, 0xDD, 0, 4] + UInt16(restartInterval).bytes(.big)
    result.insert(contentsOf: segment, at: scan.range.lowerBound)
    return result
  }
}
