import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform

private let fixtures = Fixture.expecting(.lossless) + Fixture.expecting(.reencoded)

struct LosslessTransformTests {
  @Test(arguments: fixtures)
  func `Every image is transformed as by TurboJPEG, with each transform`(
    fixture: Fixture
  ) throws {
    let photo = try ImageFile(try fixture.bytes())
    guard photo.isKnownToTurboJPEG else { return }
    let plain = try photo.withoutStrayBytes()
    let stored = try plain.transformedByTurboJPEG()
    for transform in OrientationTransform.allCases {
      let frame = photo.frame
      let trimmed = frame.trimmed(for: transform)
      if trimmed == frame {
        let expected = try plain.transformedByTurboJPEG(transform)
        #expect(expected.frame.size == frame.transformed(by: transform).size)
        #expect(
          try photo.decoded(transform: transform).isEqual(to: expected.decoded()),
          "\(transform)"
        )
      } else if trimmed.width > 0, trimmed.height > 0 {
        let window = frame.snapped(frame.bounds, for: transform, .shrink)
        let expected = try plain.transformedByTurboJPEG(transform, trims: true)
        #expect(expected.frame.size == trimmed.transformed(by: transform).size)
        #expect(
          try photo.decoded(in: window, transform: transform).isEqual(to: expected.decoded()),
          "\(transform), trimmed"
        )
      }
      if let window = photo.interior, frame.isLossless(window, under: transform) {
        let expected = try stored.decoded(in: window, transform: transform)
        #expect(
          try photo.decoded(in: window, transform: transform).isEqual(to: expected),
          "\(window)"
        )
      }
    }
  }

  @Test func `TurboJPEG declines only samplings that it has no name for`() throws {
    let unknown = try fixtures.filter { !(try ImageFile($0.bytes()).isKnownToTurboJPEG) }
    for fixture in unknown {
      #expect(fixture.path.hasPrefix("sampling/"), "\(fixture)")
    }
    #expect(unknown.count * 3 < fixtures.count)
  }

  @Test(arguments: BlankImage.samplings)
  func `Progressive images with random scans are decoded as by TurboJPEG`(
    factors: [UInt8]
  ) throws {
    var generator = SeededGenerator(seed: factors.reduce(5) { $0 * 256 + UInt64($1) })
    for _ in 0..<4 {
      let blank = try BlankImage(factors, isProgressive: true, using: &generator)
      let image = blank.image(largest: 200, sparsity: 6, using: &generator)
      let photo = try ImageFile(try blank.coded(image))
      guard photo.isKnownToTurboJPEG else { continue }
      #expect(try photo.transformedByTurboJPEG().decoded().isEqual(to: image))
    }
  }

  @Test(arguments: [1, 9, 63])
  func `Coefficients without a code in the example tables are an error`(position: Int) throws {
    var generator = SeededGenerator(seed: 10)
    let blank = try BlankImage(
      width: 32,
      height: 32,
      [0x11],
      isProgressive: false,
      [BlankImage.Scan(components: [0])],
      using: &generator
    )
    for (value, hasCode) in [(1_023, true), (-1_023, true), (1_024, false), (-5_000, false)]
      as [(Int16, Bool)]
    {
      var image = blank.image(largest: 30, sparsity: 3, using: &generator)
      image.coefficients[64 + position] = value
      image.masks[1] |= 1 << UInt64(position)
      let photo = try ImageFile(try blank.coded(image))
      guard hasCode else {
        // Not the text of TurboJPEG, which names the filter that found it.
        let message = "a coefficient is out of the range of baseline images"
        #expect(throws: TransformError.damaged(message)) { try photo.transformedByTurboJPEG() }
        continue
      }
      #expect(try photo.transformedByTurboJPEG().decoded().isEqual(to: image))
    }
    // The largest DC difference of eight-bit samples.
    var image = blank.image(largest: 0, sparsity: 0, using: &generator)
    (image.coefficients[0], image.coefficients[64]) = (-1_024, 1_023)
    (image.masks[0], image.masks[1]) = (1, 1)
    let photo = try ImageFile(try blank.coded(image))
    #expect(try photo.transformedByTurboJPEG().decoded().isEqual(to: image))
    image.coefficients[64] = 1_024
    let other = try ImageFile(try blank.coded(image))
    #expect(throws: TransformError.self) { try other.transformedByTurboJPEG() }
  }

  @Test func `A transform that is not perfect fails, unless edges are trimmed`() throws {
    let photo = try ImageFile(try Fixture.bytes("orientation/unaligned-1.jpg"))
    #expect(throws: TransformError.self) { try photo.transformedByTurboJPEG(.rotate180) }
    #expect(try photo.transformedByTurboJPEG(.rotate180, trims: true).frame.width == 80)
  }

  @Test(arguments: [
    "orientation/aligned-6.jpg", "coding/progressive.jpg", "sampling/cmyk-tag-6.jpg",
  ])
  func `Digests are those of the transformed image, and of no other`(
    path: String
  ) throws {
    let photo = try ImageFile(try Fixture.bytes(path))
    for transform in OrientationTransform.allCases {
      let digests = try LosslessTransform.digests(photo.stream, transformedBy: transform)
      let transformed = try photo.transformedByTurboJPEG(transform)
      #expect(try LosslessTransform.digests(transformed.stream, transformedBy: .none) == digests)
      for other in OrientationTransform.allCases where other != transform {
        #expect(try LosslessTransform.digests(photo.stream, transformedBy: other) != digests)
      }
    }
    // Each coefficient, changed.
    let digests = try LosslessTransform.digests(photo.stream, transformedBy: .none)
    let image = try photo.decoded()
    let encoder = ImageEncoder(try photo.parameters(), frame: photo.frame)
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<30 {
      var changed = image
      let index = Int.random(in: changed.coefficients.indices, using: &generator)
      changed.coefficients[index] += changed.coefficients[index] > 0 ? -1 : 1
      changed.masks[index / 64] = CoefficientImage.mask(
        Array(changed.coefficients[index / 64 * 64..<index / 64 * 64 + 64])
      )
      let bytes = try encoder.edits(SparseImage(changed), tables: .optimal).applied(
        to: photo.bytes
      )
      let found = try LosslessTransform.digests(ImageFile(bytes).stream, transformedBy: .none)
      #expect(zip(found, digests).count { $0 != $1 } == 1 && found.count == digests.count)
    }
  }

  @Test func `Digests of a trimmed image are those of the remaining MCUs`() throws {
    let photo = try ImageFile(try Fixture.bytes("orientation/unaligned-1.jpg"))
    for transform in OrientationTransform.allCases {
      let trimmed = try photo.transformedByTurboJPEG(transform, trims: true)
      #expect(
        try LosslessTransform.digests(photo.stream, transformedBy: transform)
          == LosslessTransform.digests(trimmed.stream, transformedBy: .none)
      )
    }
  }
}
