import ImageOrientation
import JPEGCore
import Testing

struct DistortionTests {
  private func distortion(
    _ factors: [UInt8],
    width: Int,
    height: Int,
    transform: OrientationTransform = .rotate180,
    color: Distortion.Color? = nil,
    table: (Int) -> UInt16 = { _ in 8 },
    _ level: (_ component: Int, _ x: Double, _ y: Double) -> Double
  ) throws -> Distortion {
    var subject = try RedrawSubject(width: width, height: height, factors, table: table)
    subject.draw(level)
    let reencoded = subject.redraw(transform, .own).redraw(
      SparseImage(subject.image),
      distortion: color ?? (factors.count == 3 ? .yCbCr : .components)
    )
    return try #require(reencoded.distortion)
  }

  /// The distortion by its definition: upsampling and conversion in floating point; of all lines if none are given.
  private func expected(
    _ factors: [UInt8],
    width: Int,
    height: Int,
    lines: [Int]? = nil,
    transform: OrientationTransform,
    color: Distortion.Color,
    table: (Int) -> UInt16,
    _ level: (_ component: Int, _ x: Double, _ y: Double) -> Double
  ) throws -> Double {
    var subject = try RedrawSubject(width: width, height: height, factors, table: table)
    subject.draw(level)
    let redraw = subject.redraw(transform, .own)
    let image = redraw.redraw(subject.image)
    let transformed = subject.frame.transformed(by: transform)
    func pixels(_ image: CoefficientImage, _ frame: Frame, _ tables: [[UInt16]]) -> [[Double]] {
      let planes = factors.indices.map { component in
        let part = frame.components[component]
        let plane = RedrawSubject.samples(image, component, frame: frame, table: tables[component])
        // libjpeg interpolates between samples of one or two pixels, and repeats larger ones, and two in a line.
        let ratios = [frame.maxHorizontal / part.horizontal, frame.maxVertical / part.vertical]
        let isWhole =
          frame.maxHorizontal % part.horizontal == 0 && frame.maxVertical % part.vertical == 0
        let repeats =
          isWhole && (ratios.contains { $0 > 2 } || ratios[0] == 2 && plane.width <= 2)
        func value(_ x: Int, _ y: Int) -> Double {
          func place(_ pixel: Int, _ factor: Int, _ largest: Int, _ count: Int) -> (Int, Double) {
            let place = (Double(pixel) + 0.5) * Double(factor) / Double(largest) - 0.5
            if repeats { return (min(pixel * factor / largest, count - 1), 0) }
            let limited = min(max(place, 0), Double(count - 1))
            return (Int(limited), limited - Double(Int(limited)))
          }
          let (x, u) = place(x, part.horizontal, frame.maxHorizontal, plane.width)
          let (y, v) = place(y, part.vertical, frame.maxVertical, plane.height)
          func sample(_ x: Int, _ y: Int) -> Double {
            let value = plane.values[
              min(y, plane.height - 1) * plane.width + min(x, plane.width - 1)
            ]
            return min(max(value.rounded(), -128), 127)
          }
          return (sample(x, y) * (1 - u) + sample(x + 1, y) * u) * (1 - v)
            + (sample(x, y + 1) * (1 - u) + sample(x + 1, y + 1) * u) * v
        }
        return (0..<frame.height).flatMap { y in (0..<frame.width).map { value($0, y).rounded() } }
      }
      guard color != .components else { return planes }
      func clamped(_ value: Double) -> Double { min(max(value.rounded(), -128), 127) }
      let colors =
        color == .cmyk
        ? Array(planes[..<3])
        : [
          zip(planes[0], planes[2]).map { clamped($0 + 1.402 * $1) },
          planes[0].indices.map {
            clamped(planes[0][$0] - 0.344136 * planes[1][$0] - 0.714136 * planes[2][$0])
          },
          zip(planes[0], planes[1]).map { clamped($0 + 1.772 * $1) },
        ]
      guard planes.count == 4 else { return colors }
      // Inks are inverted colors: each lets as much light through as its sample, and so does black.
      return colors.map { ink in
        zip(ink, planes[3]).map { ink, black in
          let light = color == .cmyk ? ink + 128 : 127 - ink
          return (light * (black + 128) / 255).rounded()
        }
      }
    }
    let old = pixels(subject.image, subject.frame, subject.tables)
    let new = pixels(image, transformed, redraw.resultTables)
    var sum = 0.0
    let lines = lines ?? Array(0..<height)
    for channel in old.indices {
      for y in lines {
        for x in 0..<width {
          let (column, row) = transform.destination(column: x, row: y, columns: width, rows: height)
          let difference =
            old[channel][y * width + x] - new[channel][row * transformed.width + column]
          sum += difference * difference
        }
      }
    }
    return sum / Double(width * lines.count * old.count)
  }

  @Test(arguments: RedrawSubject.samplings, [(33, 29), (34, 42), (61, 40), (3, 21), (20, 4)])
  func `The distortion is that of the displayed colors`(
    factors: [UInt8],
    size: (width: Int, height: Int)
  ) throws {
    // Edges, and colors that are out of range.
    func level(_ component: Int, _ x: Double, _ y: Double) -> Double {
      component == 0
        ? 90
          * ((x / 5).rounded(.down) + (y / 7).rounded(.down))
          .truncatingRemainder(dividingBy: 3) - 90
        : (x - Double(size.width) / 2) * (component == 1 ? 3 : -2) + y
    }
    let colors: [Distortion.Color] =
      switch factors.count {
      case 3: [.yCbCr]
      case 4: [.components, .cmyk, .ycck]
      default: [.components]
      }
    for transform: OrientationTransform in [.rotate180, .rotate90, .flipHorizontal] {
      for color in colors {
        let measured = try distortion(
          factors,
          width: size.width,
          height: size.height,
          transform: transform,
          color: color,
          table: { UInt16(6 + $0) },
          level
        )
        let expected = try expected(
          factors,
          width: size.width,
          height: size.height,
          transform: transform,
          color: color,
          table: { UInt16(6 + $0) },
          level
        )
        // Samples are rounded from sixteenths and colors in another order; one level is more in a small image.
        let rounding = size.width * size.height < 100 ? 1 : 0.1
        #expect(
          abs(measured.meanSquaredError - expected) <= 0.02 * expected + rounding,
          "\(transform), \(color): \(measured.meanSquaredError) instead of \(expected)"
        )
      }
    }
  }

  @Test func `Of a high image, every seventh line is measured`() throws {
    func level(_ component: Int, _ x: Double, _ y: Double) -> Double {
      // One line of seven is too bright to show a difference.
      let isBright = y.rounded(.down).truncatingRemainder(dividingBy: 7) == 3
      let stripe = (x / 3).rounded(.down).truncatingRemainder(dividingBy: 2)
      return component > 0 ? 0 : isBright ? 300 : 60 * stripe
    }
    func table(_ zigzag: Int) -> UInt16 { UInt16(4 + zigzag) }
    for height in [1_022, 1_030] {
      func expected(_ lines: [Int]) throws -> Double {
        try self.expected(
          [0x22, 0x11, 0x11],
          width: 18,
          height: height,
          lines: lines,
          transform: .rotate90,
          color: .yCbCr,
          table: table,
          level
        )
      }
      let measured = try distortion(
        [0x22, 0x11, 0x11],
        width: 18,
        height: height,
        transform: .rotate90,
        table: table,
        level
      ).meanSquaredError
      let all = try expected(Array(0..<height))
      let seventh = try expected(Array(stride(from: 3, to: height, by: 7)))
      #expect(all > seventh + 1)
      let error = height < 1_024 ? all : seventh
      #expect(abs(measured - error) <= 0.02 * error + 0.1)
    }
  }

  @Test func `Block-aligned components have no distortion`() throws {
    let distortion = try distortion([0x11, 0x11, 0x11], width: 16, height: 16) { _, x, y in
      x * y / 4
    }
    #expect(distortion.psnr == .infinity)
    #expect(distortion.largestError == 0)
  }

  @Test func `The signal-to-noise ratio is that of 255 levels`() {
    // 10 log₁₀(255² · 7.5)
    let psnr = Distortion(meanSquaredError: 32.0 / 240, largestError: 1).psnr
    #expect(abs(psnr - 56.8814162) < 1e-6)
  }
}
