import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

struct ExactCropTests {
  private static let images = Fixture.all.filter { fixture in
    [.lossless, .reencoded].contains(fixture.expect)
      && ["orientation/", "sampling/", "unaligned/"].contains { fixture.path.hasPrefix($0) }
  }

  @Test(arguments: images)
  func `An exact crop has the requested pixels`(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    var generator = SeededGenerator(seed: 2)
    let size = try Rewriter().rewrite(bytes).plan.image.uprightSize
    var options = Options()
    options.redrawQuality = .max
    for rectangle in PixelRectangle.samples(
      width: size.width,
      height: size.height,
      count: 2,
      &generator
    ) {
      guard let file = try CroppedFile(bytes, rectangle, .exact, options: options) else {
        continue
      }
      #expect(file.crop.result == rectangle)
      #expect(try file.complaints() == [])
      guard case .transform(_, .reencoded(let kept, let count)) = file.rewrite.plan.action else {
        continue
      }
      try checkKept(kept, of: count, file)
      let report = try #require(file.rewrite.redraw)
      // In a few pixels, chroma that moves by half a sample is all edge.
      let isTiny = rectangle.width * rectangle.height < 400
      let least = isTiny ? 19.0 : file.result.frame.repeatsSamples ? 26 : 33
      #expect(report.psnr > least, "\(rectangle)")
      let frame = file.result.frame
      // djpeg shows neither CMYK nor two components, and does not interpolate chroma of a quarter of
      // the resolution.
      let isShown = count % 2 == 1 && max(frame.maxHorizontal, frame.maxVertical) <= 2
      guard isShown, !isTiny else { continue }
      let expected = try Pixels(bytes).transformed(by: file.transform).cropped(to: rectangle)
      let psnr = try #require(try Pixels(file.result.bytes).psnr(to: expected))
      #expect(psnr > 30, "\(rectangle)")
    }
  }

  /// Components that are reported as lossless have blocks of the original.
  private func checkKept(_ kept: [Int], of count: Int, _ file: CroppedFile) throws {
    #expect(count == file.original.frame.components.count && kept.count < count)
    let (old, new) = (
      try file.original.coefficients(transform: file.transform), try file.result.coefficients()
    )
    for component in kept {
      let part = file.result.frame.components[component]
      let (x, y) = (
        file.crop.result.x * part.horizontal / file.result.frame.maxHorizontal,
        file.crop.result.y * part.vertical / file.result.frame.maxVertical
      )
      guard x % 8 == 0, y % 8 == 0 else { continue }
      for row in 0..<new.planes[component].rows {
        for column in 0..<new.planes[component].columns {
          #expect(
            new.block(component, column, row) == old.block(component, column + x / 8, row + y / 8)
          )
        }
      }
    }
  }

  @Test func `Luma stays lossless if only chroma is cut within a block`() throws {
    // 4:2:0: at 8 the blocks of luminance begin, those of chroma are cut in the middle.
    let bytes = try Fixture.bytes("orientation/aligned-1.jpg")
    let rectangle = PixelRectangle(x: 24, y: 8, width: 40, height: 40)
    let file = try #require(try CroppedFile(bytes, rectangle, .exact))
    #expect(file.rewrite.plan.action == .transform(.none, .reencoded(kept: [0], of: 3)))
    let (old, new) = (try file.original.coefficients(), try file.result.coefficients())
    for row in 0..<5 {
      for column in 0..<5 {
        #expect(new.block(0, column, row) == old.block(0, column + 3, row + 1))
      }
    }
  }

  @Test func `An exact crop at MCUs is lossless`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-8.jpg")
    let rectangle = PixelRectangle(x: 16, y: 32, width: 33, height: 47)
    let file = try #require(try CroppedFile(bytes, rectangle, .exact))
    #expect(file.rewrite.plan.action == .transform(.rotate270, .lossless))
    #expect(file.crop.result == rectangle)
  }

  @Test(arguments: [Options.UnalignedPolicy.trim, .skip, .fail])
  func `An exact crop keeps its rectangle whatever the policy for unaligned edges`(
    _ policy: Options.UnalignedPolicy
  ) throws {
    var options = Options()
    options.unaligned = policy
    let rectangle = PixelRectangle(x: 3, y: 5, width: 31, height: 17)
    let bytes = try Fixture.bytes("orientation/unaligned-6.jpg")
    let file = try #require(try CroppedFile(bytes, rectangle, .exact, options: options))
    #expect(file.crop.result == rectangle)
  }
}

extension CoefficientImage {
  fileprivate func block(_ component: Int, _ column: Int, _ row: Int) -> ArraySlice<Int16> {
    let plane = planes[component]
    let first = (plane.firstBlock + row * plane.columns + column) * 64
    return coefficients[first..<first + 64]
  }
}

extension Pixels {
  /// The pixels of a rectangle.
  fileprivate func cropped(to rectangle: PixelRectangle) -> Pixels {
    var result = self
    (result.width, result.height) = (rectangle.width, rectangle.height)
    result.samples = []
    for row in rectangle.y..<rectangle.bottom {
      let start = row * width * depth
      result.samples +=
        samples[
          start + rectangle.x * depth..<start + rectangle.right * depth
        ]
    }
    return result
  }
}
