import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform

private let readable = exactFixtures.filter {
  (try? CoefficientReader.canRead(Picture($0.bytes()).frame, isInterleaved: true)) == true
}

/// Pictures of one interleaved scan, for which jpegtran writes the same scan as we do.
private let interleaved = readable.filter { fixture in
  guard let picture = try? Picture(fixture.bytes()),
    (try? picture.huffmanTables())?.isEmpty == false
  else { return false }
  return picture.container.scans.count == 1 && picture.frame.process == .baseline
}

struct ScanEncodingTests {
  @Test(arguments: readable)
  func `Coding anew loses nothing, whatever tables are used`(fixture: Fixture) throws {
    let picture = try Picture(try fixture.bytes())
    let (coefficients, pixels) = (try picture.coefficients(), try Tool.djpeg(picture.bytes))
    for tables in [ScanScript.Tables.asOriginal, .optimal] {
      let recoded = try Picture(try picture.recoded(tables))
      #expect(try recoded.coefficients().coefficients == coefficients.coefficients)
      #expect(try Tool.djpeg(recoded.bytes) == pixels)
      #expect(recoded.frame == picture.frame)
      #expect(recoded.container.scans.count == picture.container.scans.count)
    }
  }

  @Test(arguments: interleaved)
  func `A scan with the standard's tables is coded as libjpeg codes it, byte for byte`(
    fixture: Fixture
  ) throws {
    let picture = try Picture(try fixture.bytes())
    guard try picture.huffmanTables().allSatisfy(\.isStandard) else { return }
    #expect(try picture.recoded(.asOriginal) == picture.bytes)
  }

  @Test(arguments: readable)
  func `A progressive picture that libjpeg optimized does not get larger`(fixture: Fixture) throws {
    let picture = try Picture(try fixture.bytes())
    guard picture.frame.process.isProgressive else { return }
    let recoded = try Picture(try picture.recoded(.asOriginal))
    #expect(recoded.codedSize <= picture.codedSize)
    #expect(recoded.bytes.count <= picture.bytes.count + 8)
  }

  @Test(arguments: interleaved)
  func `Optimized tables are as good as those of jpegtran`(fixture: Fixture) throws {
    let picture = try Picture(try fixture.bytes())
    let ours = try Picture(try picture.recoded(.optimal))
    let restart = try restartOptions(picture)
    let theirs = try Picture(try Tool.jpegtran(picture.bytes, ["-optimize"] + restart))
    #expect(ours.codedSize <= theirs.codedSize)
    let sizes = try [ours, theirs].map {
      try $0.huffmanTables().reduce(0) { $0 + $1.serialized.count }
    }
    #expect(sizes[0] <= sizes[1])
  }

  /// jpegtran drops restart markers unless it is told to write them.
  private func restartOptions(_ picture: Picture) throws -> [String] {
    guard
      let segment = picture.container.segments.first(where: {
        $0.marker == .defineRestartInterval
      })
    else { return [] }
    let interval = try #require(picture.bytes.uint16(at: segment.payload.lowerBound))
    return ["-restart", "\(interval)B"]
  }

  @Test func `A coefficient that no code exists for is noticed`() {
    var writer = BitWriter(codes: CodeTable([]), expectedSize: 0)
    writer.put(symbol: 3, table: TableIndex.dc(0), bits: 5, count: 3)
    let lacksCode = writer.lacksCode
    #expect(lacksCode)
  }

  @Test func `Bits are written most significant first, stuffed and padded with ones`() {
    var writer = BitWriter(codes: CodeTable([]), expectedSize: 0)
    writer.put(bits: 0b1111_1111, count: 8)
    writer.put(bits: 0b101, count: 3)
    writer.restart(9)
    writer.put(bits: 0, count: 1)
    #expect(writer.finish() == [0xFF, 0x00, 0b1011_1111, 0xFF, 0xD1, 0b0111_1111])
  }

  @Test func `Random bits come out as they went in`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      var writer = BitWriter(codes: CodeTable([]), expectedSize: 0)
      var expected: [Bool] = []
      for _ in 0..<Int.random(in: 1...3_000, using: &generator) {
        let count = Int.random(in: 0...15, using: &generator)
        // Many ones, so that much has to be stuffed.
        let bits =
          Bool.random(using: &generator) ? .max : UInt32.random(in: 0...(.max), using: &generator)
        writer.put(bits: bits, count: count)
        expected += (0..<count).reversed().map { bits >> UInt32($0) & 1 == 1 }
      }
      while expected.count % 8 != 0 { expected.append(true) }
      let bytes = writer.finish()
      var plain: [UInt8] = []
      var isStuffed = true
      for (index, byte) in bytes.enumerated() {
        if index > 0, bytes[index - 1] == 0xFF {
          isStuffed = isStuffed && byte == 0
        } else {
          plain.append(byte)
        }
      }
      #expect(isStuffed && bytes.last != 0xFF)
      let bits = plain.flatMap { byte -> [Bool] in (0..<8).map { byte & (0x80 >> $0) != 0 } }
      #expect(bits == expected)
    }
  }

  @Test(arguments: Turn.allCases)
  func `Reading with a turn and reading what was turned before agree`(turn: Turn) throws {
    let picture = try Picture(try Fixture.bytes("sampling/444-tag-6.jpg"))
    let ours = CoefficientImage(
      try CoefficientReader.read(
        picture.container.decodableStream(picture.bytes),
        frame: picture.frame,
        turn: turn
      )
    )
    let options = ["-perfect"] + Tool.jpegtranOptions(turn.rawValue)
    let theirs = try Picture(try Tool.jpegtran(picture.bytes, options)).coefficients()
    #expect(ours.planes == theirs.planes)
    #expect(ours.coefficients == theirs.coefficients)
    #expect(ours.masks == theirs.masks)
  }
}
