/// The pixels of a component as decoders display them, line by line; 0 is the middle of the range.
struct UpsampledComponent {
  private let x: Interpolation
  private let y: Interpolation
  private let samples: SampleWindow
  /// Lines of samples, interpolated along x and multiplied by ``Interpolation/unit``.
  private let lines: SampleWindow
  /// A line of samples, rounded and clamped to eight bits.
  private let line: SampleWindow
  /// The numbers of the lines that are in ``lines``.
  private var numbers: [Int?] = [nil, nil]
  /// The place of the current line of pixels.
  private var place: Interpolation.Place
  private var slots = (0, 0)
  /// The sample of the first pixel.
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
    let first = slot(of: place.first, notIn: nil)
    slots = (first, slot(of: place.second, notIn: first))
  }

  @inline(__always)
  func pixels(_ pixel: Int) -> SIMD8<Int16> {
    if isDirect {
      return Self.displayed(samples.samples(x: firstSample &+ pixel, y: place.first))
    }
    let sum =
      lines.samples(x: pixel, y: slots.0) &* SIMD8(repeating: place.weight)
      &+ lines.samples(x: pixel, y: slots.1) &* SIMD8(repeating: place.rest)
    let doubled = SIMD8<Int32>(lanes: sum &<< 1) &* SIMD8<Int32>(repeating: Int32(reciprocal))
    return (SIMD8<Int16>(lanes: doubled &>> 16) &+ 1) &>> 1
  }

  /// Returns the index in `lines` of a line of samples, which is interpolated if necessary.
  private mutating func slot(of number: Int, notIn other: Int?) -> Int {
    if let slot = numbers.firstIndex(of: number) { return slot }
    let slot: Int
    if let other {
      slot = 1 - other
    } else {
      // The other line is probably used again.
      slot = numbers[0] == place.second ? 1 : 0
    }
    interpolate(number, into: slot)
    numbers[slot] = number
    return slot
  }

  private func interpolate(_ number: Int, into slot: Int) {
    let (first, last) = (x.samples.lowerBound, x.samples.upperBound - 1)
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
        let both = BlockTransform.interleaved(left, right)
        lines.store(both.0, x: 2 &* pair &- x.start, y: slot)
        lines.store(both.1, x: 2 &* pair &- x.start &+ 8, y: slot)
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
