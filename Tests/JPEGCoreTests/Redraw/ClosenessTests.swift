import ImageOrientation
import JPEGCore
import Testing

struct ClosenessTests {
  private func flat(_ factors: [UInt8], width: Int, height: Int) throws -> (RedrawSubject, Redraw) {
    var subject = try RedrawSubject(width: width, height: height, factors) { _ in 4 }
    subject.fill { $0 % 64 == 0 ? 20 : 0 }
    return (subject, subject.redraw(.rotate180, .max))
  }

  /// The image with one more level in a block.
  private func brightened(_ image: CoefficientImage, block: Int) -> CoefficientImage {
    var image = image
    image.coefficients[64 * block] += 8
    return image
  }

  @Test func `One level in one block is counted over the visible area alone`() throws {
    let (subject, redraw) = try flat([0x11], width: 12, height: 20)
    let image = redraw.redraw(subject.image)
    // The second block of the first row shows four of its columns.
    let closeness = redraw.closeness(of: brightened(image, block: 1), to: subject.image)
    #expect(closeness.components.count == 1)
    #expect(closeness.overall.largest == 1)
    #expect(abs(closeness.overall.meanSquaredError - 32.0 / 240) < 1e-12)
    // 10 log₁₀(255² · 7.5)
    #expect(abs(closeness.overall.psnr - 56.8814162) < 1e-6)
  }

  @Test func `The whole is the mean of the components`() throws {
    let (subject, redraw) = try flat([0x11, 0x11, 0x11, 0x11], width: 12, height: 20)
    let image = brightened(redraw.redraw(subject.image), block: 0)
    let closeness = redraw.closeness(of: image, to: subject.image)
    #expect(closeness.components[0].meanSquaredError == 64.0 / 240)
    #expect(closeness.components[1].psnr == .infinity)
    #expect(closeness.overall.meanSquaredError == 16.0 / 240)
  }

  @Test func `Chroma between the old samples is compared pixel by pixel`() throws {
    let (subject, redraw) = try flat([0x21, 0x11, 0x11], width: 31, height: 8)
    #expect(redraw.keepsGrid == [false, false, false])
    let image = redraw.redraw(subject.image)
    #expect(redraw.closeness(of: image, to: subject.image).overall.largest == 0)
    // Four luma blocks come first; 16 of 31 columns get the level, the last by a quarter only.
    let closeness = redraw.closeness(of: brightened(image, block: 4), to: subject.image)
    #expect(closeness.components[1].largest == 1)
    #expect(abs(closeness.components[1].meanSquaredError - 16.0 / 31) < 1.0 / 31)
  }
}
