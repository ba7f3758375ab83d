import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing

struct RunImageTests {
  @Test(arguments: losslessImages)
  func `Counted runs give the same scans as stored values`(fixture: Fixture) throws {
    let photo = try ImageFile(try fixture.bytes())
    for window in [photo.frame.bounds, photo.interior ?? photo.frame.bounds] {
      for transform in OrientationTransform.allCases
      where photo.frame.isLossless(window, under: transform) {
        try compare(photo, window, transform)
      }
    }
  }

  @Test(arguments: OrientationTransform.allCases)
  func `Large coefficients and long runs of zeros are counted, too`(
    transform: OrientationTransform
  ) throws {
    let base = try ImageFile(try Fixture.bytes("sampling/444-tag-6.jpg"))
    for (largest, sparsity) in [(1, 40), (127, 3), (128, 20), (1_023, 1), (1_023, 30)]
      as [(Int16, Int)]
    {
      let photo = try base.withNoise(largest: largest, sparsity: sparsity, .given)
      try compare(photo, photo.frame.bounds, transform)
    }
  }

  @Test func `Coefficients without a code get optimal tables`() throws {
    let base = try ImageFile(try Fixture.bytes("sampling/444-tag-6.jpg"))
    let photo = try base.withNoise(largest: 4_000, sparsity: 5, .optimal)
    let runs = try photo.parameters().decodeRuns(photo.bytes.span, photo.placement(.none)).0
    let encoder = ImageEncoder(try base.parameters(), frame: base.frame)
    let edits = try encoder.edits(runs)
    #expect(edits.contains { $0.field.identifier.hasPrefix("huffman-tables") })
    #expect(edits == (try encoder.edits(photo.decode().image, tables: .optimal)))
  }

  /// Codes an image with the original's tables and, where it has to be shorter, with optimal ones.
  private func compare(
    _ photo: ImageFile,
    _ window: PixelRectangle,
    _ transform: OrientationTransform
  ) throws {
    let frame = photo.frame.cropped(to: window).transformed(by: transform)
    let parameters = try photo.parameters()
    let encoder = ImageEncoder(parameters, frame: frame)
    #expect(encoder.codesWholeBlocks == !photo.frame.process.isProgressive)
    guard encoder.codesWholeBlocks else { return }
    let (runs, own) = try parameters.decodeRuns(
      photo.bytes.span,
      BlockPlacement(photo.frame, in: window, transform: transform)
    )
    let (sparse, info) = try photo.decode(in: window, transform: transform)
    #expect(own == info)
    let expected = try encoder.edits(sparse)
    let optimal = try encoder.edits(sparse, tables: .optimal)
    #expect(try encoder.edits(runs) == expected)
    for room in [0, expected.totalShift] + (1...4).map({ expected.totalShift - $0 * $0 }) {
      #expect(
        try encoder.edits(runs, room: room) == (expected.totalShift > room ? optimal : expected)
      )
    }
  }
}

extension ImageFile {
  fileprivate func placement(_ transform: OrientationTransform) -> BlockPlacement {
    BlockPlacement(frame, in: frame.bounds, transform: transform)
  }
}
