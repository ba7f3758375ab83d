import FileBytes
import Fixtures
import JPEGCore
import Testing

struct ReconstructionInfoFormTests {
  private func serialized(_ info: ReconstructionInfo) -> [UInt8] {
    var writer = CompactWriter()
    info.write(to: &writer)
    return writer.bytes
  }

  private func read(_ bytes: [UInt8], version: Int = 1) throws -> ReconstructionInfo {
    var reader = CompactReader(bytes)
    let info = try ReconstructionInfo(from: &reader, version: version)
    guard reader.isAtEnd else { throw CompactReader.Failure(offset: bytes.count) }
    return info
  }

  @Test(arguments: 0..<60)
  func `Reading the compact form restores the info`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let factors = BlankImage.samplings[Int(seed) % BlankImage.samplings.count]
    let blank = try BlankImage(factors, isProgressive: seed % 3 > 0, using: &generator)
    let info = blank.info(using: &generator)
    let bytes = serialized(info)
    #expect(try read(bytes) == info)
    for length in bytes.indices {
      #expect(throws: CompactReader.Failure.self) { try read(Array(bytes[..<length])) }
    }
  }

  @Test func `The default takes one byte for each scan`() throws {
    let info = ReconstructionInfo(scans: 10)
    #expect(info.isDefault)
    #expect(serialized(info).count == 12)
    #expect(try read(serialized(info)) == info)
  }

  @Test(
    arguments: [
      [], [0], [1, 64, 0],  // nothing, no padding blocks, unknown parts
      [0xE9, 0x07] + [UInt8](repeating: 0, count: 1_002),  // 1,001 scans
      [1, 2, 1, 0, 0, 0], [1, 2, 1, 0, 0x80, 2, 0],  // fill bits 0 and 256
      [1, 8, 3, 0, 0],  // a fourth rule
      [1, 16, 1, 0, 0, 0], [1, 16, 1, 0, 4, 0],  // no ZRL code, and four of them
      [1, 32, 0x81, 8] + [UInt8](repeating: 1, count: 1025) + [0],  // too many stray bytes
      [1, 32, 200, 1, 0],  // fewer than announced
      [0, 1, 4, 0, 0, 0, 0],  // the fifth component
      [0, 1, 0, 0, 0, 0x80, 0x80, 4, 0],  // a coefficient of 17 bits
      [0, 1, 0, 0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0, 1, 64, 0],  // positions 0 and 64
      [0, 1, 0, 0, 0, 0, 64],  // 64 coefficients
      [1, 2, 0x80, 0x80, 0x80, 1, 0],  // more exceptions than a form can hold
      [1, 8, 0, 2, 5, 0, 0],  // an entry twice
      [0, 1, 0, 0x80, 0x80, 4, 0, 0, 0],  // row 65,536
      [0, 1, 0, 0, 0x80, 0x80, 4, 0, 0],  // column 65,536
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0],  // a number of ten bytes
    ] as [[UInt8]]
  )
  func `Info that no encoder can cause is rejected`(bytes: [UInt8]) {
    #expect(throws: CompactReader.Failure.self) { try read(bytes) }
  }

  @Test func `Only version 2 has bytes before restart markers, and more than eight after a scan`()
    throws
  {
    var many = ReconstructionInfo(scans: 2)
    many.scans[0].strayBytes = [UInt8](repeating: 1, count: 9)
    var between = ReconstructionInfo(scans: 1)
    between.scans[0].intervalBytes = [0: [1], 7: [2, 3]]
    for info in [many, between] {
      #expect(info.version == 2)
      #expect(try read(serialized(info), version: 2) == info)
      #expect(throws: CompactReader.Failure.self) { try read(serialized(info)) }
    }
    #expect(serialized(between) == [1, 64, 2, 0, 1, 1, 7, 2, 2, 3, 0])
    many.scans[0].strayBytes.removeLast()
    #expect(many.version == 1)
    #expect(throws: CompactReader.Failure.self) { try read([1, 0x80, 1, 0], version: 2) }
  }

  @Test func `Damaged forms are rejected, or read and writable again`() throws {
    var generator = SeededGenerator(seed: 99)
    let blank = try BlankImage([0x22, 0x11, 0x11], isProgressive: true, using: &generator)
    let bytes = serialized(blank.info(using: &generator))
    var (read, rejected) = (0, 0)
    for _ in 0..<2_000 {
      guard let info = try? self.read(bytes.damaged(using: &generator)) else {
        rejected += 1
        continue
      }
      read += 1
      #expect((try? self.read(serialized(info))) == info)
    }
    #expect(read > 20 && rejected > 20, "\(read) \(rejected)")
  }

  @Test(arguments: 0..<20)
  func `The info of another image does not crash the encoder`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 500 + seed)
    let factors = BlankImage.samplings[Int(seed) % BlankImage.samplings.count]
    let blank = try BlankImage(factors, isProgressive: seed % 2 > 0, using: &generator)
    let image = blank.image(largest: 900, sparsity: 3, using: &generator)
    for _ in 0..<5 {
      let bytes = serialized(blank.info(using: &generator)).damaged(using: &generator)
      guard let info = try? read(bytes), info.scans.count == blank.scans.count else { continue }
      // Any result is accepted; it must terminate.
      _ = try? blank.coded(image, info)
    }
  }
}
