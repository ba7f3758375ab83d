import Fixtures
import ImageOrientation
import JPEGCore
import Testing

/// The forms in which a redraw stores its blocks, and a restoration those of the original.
struct RedrawFormsTests {
  @Test(
    arguments: ["sampling/420-unaligned.jpg", "sampling/ycck-2x2-1x1-1x1-2x2-unaligned.jpg"],
    OrientationTransform.allCases
  )
  func `Runs and codes give the same scans as values`(
    fixture: String,
    transform: OrientationTransform
  ) throws {
    let base = try ImageFile(try Fixture.bytes(fixture))
    for (largest, sparsity) in [(1, 40), (127, 3), (128, 20), (1_023, 30)] as [(Int16, Int)] {
      let photo = try base.withNoise(largest: largest, sparsity: sparsity, .given)
      let parameters = try photo.parameters()
      let image = try photo.decode().image
      let redraw = Redraw(
        of: image,
        frame: photo.frame,
        tables: try parameters.quantizationTables(photo.bytes.span),
        transform: transform,
        color: .components,
        quality: .standard
      )
      let values = redraw.redraw(image, exceptions: true, distortion: .components)
      let runs = redraw.redrawRuns(image, exceptions: true, distortion: .components)
      let exceptions = try #require(values.exceptions)
      #expect(runs.exceptions == exceptions)
      #expect(runs.distortion == values.distortion)
      let encoder = ImageEncoder(parameters, frame: photo.frame.transformed(by: transform))
      let expected = try encoder.edits(values.image, tables: .optimal)
      #expect(try encoder.edits(runs.image, tables: .optimal) == expected)

      let original = ImageEncoder(parameters, frame: photo.frame)
      let codes = try #require(original.codes(.given))
      let coded = try redraw.restored(values.image, exceptions, codes: codes)
      #expect(try redraw.restored(values.image, exceptions).isEqual(to: image))
      #expect(try original.edits(coded) == original.edits(image, tables: .given))
    }
  }
}
