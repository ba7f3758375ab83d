/// The pixels of a component as decoders display them, line by line; 0 is the middle of the range.
struct UpsampledComponent {
  private let x: Interpolation
  private let y: Interpolation
  private let samples: SampleWindow
  /// Lines of samples, interpolated along x and multiplied by ``Interpolation/unit``; line n is at n mod 2.
  private let lines: SampleWindow
  /// A line of samples, rounded and clamped to eight bits.
  private let line: SampleWindow
  private var numbers: [Int?] = [nil, nil]
  private var place: Interpolation.Place
  private let firstSample: Int
  private let isDirect: Bool
  /// 2¹⁶ divided by the unit of both axes.
  private let reciprocal: Int16

  init(_ samples: SampleWindow, x: Interpolation, y: Interpolation) {
    (self.samples, self.x, self.y) = (samples, x, y)
    isDirect = x.ratio == .one && y.ratio == .one
    firstSample = x.places[0].first
    lines = SampleWindow(width: isDirect ? 0 : x.places.count + 24, lines: 2)
    line = SampleWindow(width: isDirect ? 0 : samples.width + 16, lines: 1)
    place = y.places[0]
    reciprocal = Int16(clamping: 65_536 / (Int(x.unit) * Int(y.unit)))
  }

  mutating func go(to pixel: Int) {
    place = y.places[pixel]
    guard !isDirect else { return }
    for number in [place.first, place.second] where numbers[number & 1] != number {
      interpolate(number)
      numbers[number & 1] = number
    }
  }

  @inline(__always)
  func pixels(_ pixel: Int) -> SIMD8<Int16> {
    if isDirect {
      return Self.displayed(samples.samples(x: firstSample &+ pixel, y: place.first))
    }
    let sum =
      lines.samples(x: pixel, y: place.first & 1) &* SIMD8(repeating: place.weight)
      &+ lines.samples(x: pixel, y: place.second & 1) &* SIMD8(repeating: place.rest)
    let doubled = SIMD8<Int32>(lanes: sum &<< 1) &* SIMD8<Int32>(repeating: Int32(reciprocal))
    return (SIMD8<Int16>(lanes: doubled &>> 16) &+ 1) &>> 1
  }

  private func interpolate(_ number: Int) {
    let (first, last, slot) = (x.samples.lowerBound, x.samples.upperBound - 1, number & 1)
    for x in stride(from: first, through: last, by: 8) {
      line.store(Self.displayed(samples.samples(x: x, y: number)), x: x, y: 0)
    }
    switch x.ratio {
    case .one:
      for pixel in stride(from: 0, to: x.places.count, by: 8) {
        let values = line.samples(x: firstSample &+ pixel, y: 0)
        lines.store(values &* SIMD8(repeating: x.unit), x: pixel, y: slot)
      }
    case .two:
      line[first - 1, 0] = line[first, 0]
      line[last + 1, 0] = line[last, 0]
      // From the pair of pixels that contains the first pixel.
      let end = min(last, (x.start + x.places.count) >> 1)
      for pair in stride(from: x.start >> 1, through: end, by: 8) {
        let middle = line.samples(x: pair, y: 0) &* 3
        let left = middle &+ line.samples(x: pair &- 1, y: 0)
        let right = middle &+ line.samples(x: pair &+ 1, y: 0)
        lines.store(BlockTransform.low(left, right), x: 2 &* pair &- x.start, y: slot)
        lines.store(BlockTransform.high(left, right), x: 2 &* pair &- x.start &+ 8, y: slot)
      }
    case .other:
      for (pixel, place) in x.places.enumerated() {
        lines[pixel, slot] =
          line[place.first, 0] &* place.weight &+ line[place.second, 0] &* place.rest
      }
    }
  }

  /// Rounds and clamps values to eight bits.
  @inline(__always)
  private static func displayed(_ values: SIMD8<Int16>) -> SIMD8<Int16> {
    let digits = Int16(BlockTransform.fractionBits)
    let rounded = (values &+ SIMD8(repeating: 1 &<< (digits &- 1))) &>> SIMD8(repeating: digits)
    return rounded.limited(SIMD8(repeating: -128), SIMD8(repeating: 127))
  }
}
