import Fixtures
import ImageOrientation
import JPEGCore
import Testing

struct FrameTests {
  @Test(arguments: Fixture.all.filter { $0.width != nil && $0.expect != .damaged })
  func `The frame has the size in the manifest`(fixture: Fixture) throws {
    let image = try ImageFile(try fixture.bytes())
    #expect(image.frame.width == fixture.width)
    #expect(image.frame.height == fixture.height)
  }

  @Test(arguments: losslessFixtures + Fixture.expecting(.reencoded))
  func `A transform is lossless if the manifest says so`(fixture: Fixture) throws {
    let transform = try #require(OrientationTransform(rawValue: fixture.transform))
    let frame = try ImageFile(try fixture.bytes()).frame
    #expect(frame.isLossless(under: transform) == (fixture.expect == .lossless))
  }

  @Test(
    arguments: [
      ([0x11], "grayscale"), ([0x22], "grayscale"), ([0x11, 0x11, 0x11], "4:4:4"),
      ([0x21, 0x11, 0x11], "4:2:2"), ([0x12, 0x11, 0x11], "4:4:0"), ([0x22, 0x11, 0x11], "4:2:0"),
      ([0x41, 0x11, 0x11], "4:1:1"), ([0x14, 0x11, 0x11], "4:4:1"), ([0x42, 0x11, 0x11], "4:1:0"),
      ([0x21, 0x21, 0x21], "4:4:4"), ([0x22, 0x11, 0x11, 0x22], "4:2:0"),
      ([0x22, 0x11, 0x12], "2x2,1x1,1x2"), ([0x31, 0x11, 0x11], "3x1,1x1,1x1"),
    ] as [([UInt8], String)]
  )
  func `Sampling has its common name`(factors: [UInt8], name: String) throws {
    #expect(try frame(width: 64, height: 64, factors).sampling == name)
  }

  @Test func `Components that no longer share a table get slots of their own, and share these`()
    throws
  {
    var shared = try frame(width: 16, height: 16, [0x22, 0x11, 0x11])
    for index in shared.components.indices { shared.components[index].quantizationTable = 0 }
    let (fine, coarse) = ([UInt16](repeating: 1, count: 64), [UInt16](repeating: 9, count: 64))
    func slots(_ tables: [[UInt16]]) -> [UInt8] {
      FrameEdits.assigningSlots(shared, tables).components.map(\.quantizationTable)
    }
    #expect(slots([fine, fine, fine]) == [0, 0, 0])
    #expect(slots([fine, coarse, coarse]) == [0, 1, 1])
    #expect(slots([fine, coarse, fine]) == [0, 1, 0])
  }

  @Test func `Blocks are counted without padding`() throws {
    let subsampled = try frame(width: 90, height: 61, [0x22, 0x11, 0x11])
    #expect(subsampled.blocks(of: 0) == (12, 8))
    #expect(subsampled.blocks(of: 1) == (6, 4))
    #expect(subsampled.interleavedMCU == (16, 16))
    let narrow = try frame(width: 17, height: 1, [0x41, 0x11, 0x11])
    #expect(narrow.blocks(of: 0) == (3, 1))
    #expect(narrow.blocks(of: 1) == (1, 1))
    #expect(narrow.interleavedMCU == (32, 8))
    let gray = try frame(width: 88, height: 56, [0x22])
    #expect(gray.blocks(of: 0) == (11, 7))
    #expect(gray.interleavedMCU == (8, 8))
  }

  @Test(arguments: OrientationTransform.allCases)
  func `A transposed frame has swapped axes, and the inverse restores it`(
    transform: OrientationTransform
  ) throws {
    let frame = try frame(width: 90, height: 61, [0x21, 0x11, 0x11])
    let transformed = frame.transformed(by: transform)
    let size = transform.size(width: 90, height: 61)
    #expect((transformed.width, transformed.height) == size)
    #expect(transformed.factors == (transform.transposes ? "1x2,1x1,1x1" : "2x1,1x1,1x1"))
    #expect(transformed.transformed(by: transform.inverse) == frame)
  }

  @Test(arguments: OrientationTransform.allCases)
  func `Trimming removes less than one MCU, and only at edges that move`(
    transform: OrientationTransform
  ) throws {
    let frame = try frame(width: 90, height: 61, [0x21, 0x11, 0x11])
    let trimmed = frame.trimmed(for: transform)
    #expect(trimmed.width == (transform.movesRightEdge ? 80 : 90))
    #expect(trimmed.height == (transform.movesBottomEdge ? 56 : 61))
    #expect(trimmed.isLossless(under: transform))
    #expect(frame.isLossless(under: transform) == (trimmed == frame))
  }

  @Test func `A frame header that contradicts itself is malformed`() {
    let whole = framePayload(width: 8, height: 8, [(1, 0x11), (2, 0x11), (3, 0x11)])
    for length in 0..<whole.count {
      let (segment, bytes) = segment(Marker(rawValue: 0xC0), Array(whole[..<length]))
      #expect(throws: ContainerError.self) { try Frame(segment, in: bytes) }
    }
    for factors: UInt8 in [0x00, 0x10, 0x01, 0x51, 0x15, 0xFF] {
      let payload = framePayload(width: 8, height: 8, [(1, factors)])
      let (segment, bytes) = segment(Marker(rawValue: 0xC0), payload)
      #expect(throws: ContainerError.self) { try Frame(segment, in: bytes) }
    }
    let (none, bytes) = segment(Marker(rawValue: 0xC0), framePayload(width: 8, height: 8, []))
    #expect(throws: ContainerError.self) { try Frame(none, in: bytes) }
  }

  @Test(
    arguments: [
      (0xC0, "baseline"), (0xC1, "extended"), (0xC2, "progressive"), (0xC3, "lossless"),
      (0xC5, "sequential, hierarchical"), (0xC6, "progressive, hierarchical"),
      (0xC9, "extended, arithmetic"), (0xCA, "progressive, arithmetic"),
      (0xCB, "lossless, arithmetic"),
    ] as [(UInt8, String)]
  )
  func `The marker determines the coding process`(marker: UInt8, name: String) throws {
    let frame = try frame(width: 8, height: 8, [0x11], marker: Marker(rawValue: marker))
    #expect(frame.process.description == name)
    #expect(frame.process.isProgressive == name.hasPrefix("progressive"))
    #expect(frame.process.isLossless == name.hasPrefix("lossless"))
    #expect(frame.process.isArithmetic == name.contains("arithmetic"))
    #expect(frame.process.isHierarchical == name.contains("hierarchical"))
  }
}
