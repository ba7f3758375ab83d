import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing

struct CodedImageTests {
  @Test(arguments: losslessImages)
  func `Coding while decoding gives the same scans as coding afterwards`(
    fixture: Fixture
  ) throws {
    let photo = try ImageFile(try fixture.bytes())
    for window in [photo.frame.bounds, photo.interior ?? photo.frame.bounds] {
      for transform in OrientationTransform.allCases
      where photo.frame.isLossless(window, under: transform) {
        try compare(photo, window, transform, .given)
      }
    }
  }

  @Test(arguments: OrientationTransform.allCases)
  func `Large coefficients and long runs of zeros are also coded while decoding`(
    transform: OrientationTransform
  ) throws {
    let base = try ImageFile(try Fixture.bytes("sampling/444-tag-6.jpg"))
    for (largest, sparsity) in [(1, 40), (127, 3), (128, 20), (1_023, 1), (1_023, 30)]
      as [(Int16, Int)]
    {
      let photo = try base.withNoise(largest: largest, sparsity: sparsity, .given)
      try compare(photo, photo.frame.bounds, transform, .asOriginal)
    }
  }

  /// Codes an image while it is decoded, and afterwards.
  private func compare(
    _ photo: ImageFile,
    _ window: PixelRectangle,
    _ transform: OrientationTransform,
    _ tables: ImageEncoder.Tables
  ) throws {
    let frame = photo.frame.cropped(to: window).transformed(by: transform)
    let parameters = try photo.parameters()
    let encoder = ImageEncoder(parameters, frame: frame)
    guard let codes = encoder.codes(tables) else {
      #expect(photo.frame.process.isProgressive)
      return
    }
    let placement = BlockPlacement(photo.frame, in: window, transform: transform)
    let (coded, own) = try parameters.decode(
      photo.bytes.span,
      placement,
      codes: codes
    )
    let (sparse, info) = try photo.decode(in: window, transform: transform)
    #expect(own == info)
    for isOnes in [true, false] {
      var info = ReconstructionInfo(scans: photo.container.scans.count)
      for index in info.scans.indices { info.scans[index].fill = Fill(isOnes: isOnes) }
      info.paddingBlocks = unusualPadding(frame)
      let expected = try? encoder.edits(sparse, tables: .given, info)
      #expect((try? encoder.edits(coded, info)) == expected)
    }
  }

  /// Returns a non-default padding block after each component's last block.
  private func unusualPadding(_ frame: Frame) -> PaddingBlocks {
    var padding: PaddingBlocks = [:]
    var block = [Int16](repeating: 0, count: 64)
    (block[0], block[1], block[40]) = (5, -200, 1)
    for component in frame.components.indices {
      let (columns, rows) = frame.blocks(of: component)
      padding[PaddingBlock(component: component, column: columns, row: rows - 1)] = block
    }
    return padding
  }

  @Test func `A coefficient without a code in the tables is detected`() throws {
    let target = try ImageFile(try Fixture.bytes("sampling/444-tag-6.jpg"))
    let encoder = ImageEncoder(try target.parameters(), frame: target.frame)
    let codes = try #require(encoder.codes())
    for (value, hasCode) in [(1_023, true), (-1_023, true), (1_024, false), (-16_383, false)]
      as [(Int16, Bool)]
    {
      var image = try target.decoded()
      image.coefficients[9] = value
      image.masks[0] |= 1 << 9
      let file = try ImageFile(
        try encoder.edits(SparseImage(image), tables: .optimal).applied(to: target.bytes)
      )
      let placement = BlockPlacement(file.frame, in: file.frame.bounds, transform: .none)
      let (coded, _) = try file.parameters().decode(
        file.bytes.span,
        placement,
        codes: codes
      )
      #expect(((try? encoder.edits(coded)) != nil) == hasCode, "\(value)")
    }
  }
}
