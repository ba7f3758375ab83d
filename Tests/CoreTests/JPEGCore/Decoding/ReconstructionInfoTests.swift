import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing

struct ReconstructionInfoTests {
  @Test(arguments: losslessImages)
  func `libjpeg's data has the default info, and all data is coded to the same bytes again`(
    fixture: Fixture
  ) throws {
    let photo = try ImageFile(try fixture.bytes())
    let (_, info) = try photo.decode()
    // Fill bytes before a marker do not belong to the scan.
    let isOfLibjpeg = fixture.conventions ?? ["fill-bytes"] == ["fill-bytes"]
    #expect(info.isDefault == isOfLibjpeg)
    #expect(try photo.recoded(.given, info) == photo.bytes)
  }

  @Test(arguments: BlankImage.samplings, [false, true])
  func `The decoder's info about the scans makes the encoder write the same bytes`(
    factors: [UInt8],
    isProgressive: Bool
  ) throws {
    let seed = factors.reduce(isProgressive ? 3 : 2) { $0 * 256 + UInt64($1) }
    var generator = SeededGenerator(seed: seed)
    for round in 0..<6 {
      let blank = try BlankImage(factors, isProgressive: isProgressive, using: &generator)
      let image = blank.image(
        largest: [1, 40, 1_023][round % 3],
        sparsity: [3, 20][round % 2],
        before: BlankImage.endOfZeroRunImage,
        using: &generator
      )
      let given = blank.info(using: &generator)
      let file = try ImageFile(try blank.coded(image, given))
      let (own, observed) = try file.decode()
      #expect(CoefficientImage(own).isEqual(to: image))
      #expect(try blank.coded(image, observed) == file.bytes)
      #expect(try ImageFile(try blank.coded(image, observed)).decode().info == observed)
      let canonical = try blank.coded(image)
      #expect(observed.isDefault == (file.bytes == canonical))
      for (a, b) in zip(observed.scans, given.scans) {
        #expect(a.strayBytes == b.strayBytes && a.endsWithRestart == b.endsWithRestart)
        #expect(a.zeroRuns == b.zeroRuns)
      }
      try compareCodedBlocks(file, observed)
    }
  }

  /// Expects the same bytes from blocks that are coded while they are decoded.
  private func compareCodedBlocks(_ file: ImageFile, _ info: ReconstructionInfo) throws {
    let encoder = ImageEncoder(try file.parameters(), frame: file.frame)
    guard !info.needsBlocks, let codes = encoder.codes(.given) else { return }
    let placement = BlockPlacement(file.frame, in: file.frame.bounds, transform: .none)
    let (image, observed) = try file.parameters().decode(
      file.bytes.span,
      placement,
      codes: codes
    )
    #expect(observed == info)
    #expect(try encoder.edits(image, info).applied(to: file.bytes) == file.bytes)
  }

  @Test(arguments: EOBRuns.Rule.allCases)
  func `The rule of EOB runs is found, and libjpeg reads data that follows it`(
    rule: EOBRuns.Rule
  ) throws {
    var generator = SeededGenerator(seed: 21)
    let blank = try BlankImage(
      width: 600,
      height: 400,
      [0x11],
      isProgressive: true,
      [
        BlankImage.Scan(components: [0], spectrum: 0...0),
        BlankImage.Scan(components: [0], spectrum: 1...9, low: 1),
        BlankImage.Scan(components: [0], spectrum: 10...63, low: 1),
        BlankImage.Scan(components: [0], spectrum: 1...9, high: 1, low: 0),
        BlankImage.Scan(components: [0], spectrum: 10...63, high: 1, low: 0),
      ],
      using: &generator
    )
    let image = blank.image(largest: 3, sparsity: 60, using: &generator)
    var given = ReconstructionInfo(scans: 5)
    for scan in 1..<5 { given.scans[scan].runs.rule = rule }
    let file = try ImageFile(try blank.coded(image, given))
    let (own, observed) = try file.decode()
    #expect(CoefficientImage(own).isEqual(to: image))
    #expect(observed == given)
    #expect(try file.transformedByJpegtran(.none).decoded().isEqual(to: image))
    _ = try Tool.djpeg(file.bytes)
    for scan in 1..<5 { given.scans[scan].runs.exceptions = [7, 100, 101, 1_000] }
    let exceptional = try ImageFile(try blank.coded(image, given))
    let (same, particular) = try exceptional.decode()
    #expect(CoefficientImage(same).isEqual(to: image))
    #expect(try blank.coded(image, particular) == exceptional.bytes)
    #expect(try exceptional.transformedByJpegtran(.none).decoded().isEqual(to: image))
    #expect(particular.scans.dropFirst().allSatisfy { $0.runs.exceptions.count <= 4 })
  }

  @Test func `EOB runs respect the limits of EOBRUN and of libjpeg's correction bits`()
    throws
  {
    var generator = SeededGenerator(seed: 22)
    // 33,124 blocks without AC coefficients, and some with correction bits.
    for (largest, width) in [(0, 8 * 182), (60, 8 * 60)] as [(Int16, Int)] {
      let blank = try BlankImage(
        width: width,
        height: width,
        [0x11],
        isProgressive: true,
        [
          BlankImage.Scan(components: [0], spectrum: 0...0),
          BlankImage.Scan(components: [0], spectrum: 1...63, low: 1),
          BlankImage.Scan(components: [0], spectrum: 1...63, high: 1, low: 0),
        ],
        using: &generator
      )
      var image = blank.image(largest: largest, sparsity: 5, using: &generator)
      // No new coefficients in the last scan.
      for index in image.coefficients.indices where abs(image.coefficients[index]) == 1 {
        image.coefficients[index] *= 2
      }
      let file = try ImageFile(try blank.coded(image))
      let (own, info) = try file.decode()
      #expect(CoefficientImage(own).isEqual(to: image))
      #expect(info.isDefault)
      // libjpeg's own runs.
      let script = "0: 0-0, 0, 0; 0: 1-63, 0, 1; 0: 1-63, 1, 0;"
      let scratch = try Scratch()
      let path = try scratch.write(Array(script.utf8), to: "script")
      let theirs = try ImageFile(try Tool.jpegtran(file.bytes, ["-scans", path]))
      let (read, convention) = try theirs.decode()
      #expect(CoefficientImage(read).isEqual(to: image))
      #expect(convention.isDefault)
      #expect(try theirs.recoded(.given) == theirs.bytes)
    }
  }

  @Test func `Padding bits that are not ones are recorded`() throws {
    let photo = try ImageFile(try Fixture.bytes("coding/restart-rows.jpg"))
    #expect(try photo.decode().info.scans[0].fill == Fill())
    var info = ReconstructionInfo(scans: 1)
    info.scans[0].fill = Fill(isOnes: false)
    let zeros = try ImageFile(try photo.recoded(.given, info))
    #expect(zeros.bytes != photo.bytes)
    #expect(try zeros.decode().info == info)
    #expect(try Tool.djpeg(zeros.bytes) == Tool.djpeg(photo.bytes))
  }
}

extension BlankImage {
  /// The zigzag position from which on coefficients are zero in images whose blocks can have ZRL codes before
  /// their EOB.
  static let endOfZeroRunImage = 15

  /// Returns random info of the scans, for images without coefficients from ``endOfZeroRunImage`` on.
  func info(using generator: inout SeededGenerator) -> ReconstructionInfo {
    var info = ReconstructionInfo(scans: scans.count)
    for (index, scan) in scans.enumerated() {
      func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &generator) == 0 }
      let blocks = blockCount(scan)
      info.scans[index].fill.isOnes = chance(2)
      if chance(2) {
        for interval in 0..<100 where chance(2) {
          let code = UInt8.random(in: 1...255, using: &generator)
          info.scans[index].fill.exceptions[interval] = FillBits(code: code)
        }
      }
      info.scans[index].endsWithRestart = chance(3)
      info.scans[index].strayBytes =
        [[], [], [], [0], [0xFF, 0], [1, 2, 3, 4, 5, 6, 7, 8]].randomElement(using: &generator)
        ?? []
      if scan.spectrum.lowerBound > 0 {
        info.scans[index].runs.rule =
          EOBRuns.Rule.allCases.randomElement(using: &generator) ?? .maximal
        for block in 0..<blocks where chance(9) {
          info.scans[index].runs.exceptions.insert(block)
        }
      }
      let last = max(Self.endOfZeroRunImage - 1, scan.spectrum.lowerBound - 1)
      let most = (scan.spectrum.upperBound - 1 - last) / 16
      if scan.spectrum.upperBound > 0, scan.high == 0, most > 0, chance(2) {
        for block in 0..<blocks where chance(5) {
          info.scans[index].zeroRuns[block] = Int.random(in: 1...most, using: &generator)
        }
      }
    }
    info.paddingBlocks = padding(using: &generator)
    return info
  }

  private func isInterleaved(_ scan: Scan) -> Bool { scan.components.count > 1 }

  /// The size of the image in MCUs of all components.
  private var mcus: (columns: Int, rows: Int) {
    (
      frame.width.dividedUp(by: 8 * frame.maxHorizontal),
      frame.height.dividedUp(by: 8 * frame.maxVertical)
    )
  }

  /// The number of blocks in a scan, padding included.
  private func blockCount(_ scan: Scan) -> Int {
    guard isInterleaved(scan) else {
      let (columns, rows) = frame.blocks(of: scan.components[0])
      return columns * rows
    }
    return scan.components.reduce(0) {
      let part = frame.components[$1]
      return $0 + mcus.columns * mcus.rows * part.horizontal * part.vertical
    }
  }

  /// Random padding blocks.
  private func padding(using generator: inout SeededGenerator) -> PaddingBlocks {
    var padding: PaddingBlocks = [:]
    for (component, part) in frame.components.enumerated() {
      let (columns, rows) = frame.blocks(of: component)
      for row in 0..<mcus.rows * part.vertical {
        for column in 0..<mcus.columns * part.horizontal
        where (row >= rows || column >= columns)
          && Int.random(in: 0...3, using: &generator) == 0
        {
          var block = [Int16](repeating: 0, count: 64)
          block[0] = .random(in: -900...900, using: &generator)
          if !frame.process.isProgressive {
            for _ in 0..<3 {
              block[Int.random(in: 1..<Self.endOfZeroRunImage, using: &generator)] =
                .random(in: -200...200, using: &generator)
            }
          }
          padding[PaddingBlock(component: component, column: column, row: row)] = block
        }
      }
    }
    return padding
  }
}
