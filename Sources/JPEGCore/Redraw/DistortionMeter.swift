internal import ImageOrientation

/// Measures the distortion of a re-encoded image, line by line, while it is made.
///
/// Of large images every seventh line is measured. Seven has no common factor with the size of blocks and with the factors
/// of subsampling, so all lines of blocks and all phases of the interpolation are among them.
struct DistortionMeter {
  private typealias Pixels = (red: SIMD8<Int16>, green: SIMD8<Int16>, blue: SIMD8<Int16>)

  private let color: Distortion.Color
  private let size: PixelSize
  /// The original and the re-encoded image of each component that is measured.
  private var originals: [UpsampledComponent] = []
  private var reencoded: [UpsampledComponent] = []
  /// For each of them and each line of pixels the number of lines of samples that it requires.
  private var needs: [(component: Int, lines: [Int])] = []
  private let channels: Int
  private let interval: Int
  private var next: Int
  private var measured = 0
  private var squares: Int64 = 0
  private var largest = SIMD8<Int16>.zero

  init<Form>(_ sweeps: [ComponentSweep<Form>], _ size: PixelSize, _ color: Distortion.Color) {
    self.color = color
    self.size = size
    channels = color == .components ? sweeps.count : 3
    interval = size.height < Self.largeHeight ? 1 : 7
    next = interval / 2
    for (index, sweep) in sweeps.enumerated() {
      let geometry = sweep.component.geometry
      guard color.mixesComponents || !geometry.isBlockAligned else { continue }
      func upsampled(_ band: SampleBand, ofOriginal: Bool) -> UpsampledComponent {
        let (x, y) = geometry.interpolation(ofOriginal: ofOriginal)
        needs.append((index, y.places.map { max($0.first, $0.second) + 1 }))
        return UpsampledComponent(band.blocks, x: x, y: y)
      }
      let original = upsampled(sweep.original, ofOriginal: true)
      originals.append(original)
      reencoded.append(sweep.reencoded.map { upsampled($0, ofOriginal: false) } ?? original)
    }
  }

  /// The number of lines from which on not all are measured.
  private static let largeHeight = 1024

  /// Returns the number of lines of samples of a component that must be kept.
  static func lines(_ frame: Frame, component: Int) -> Int {
    let largest = frame.maxVertical
    let least = frame.components.map { $0.vertical }.min() ?? 1
    // A re-encoded line is available up to seven lines of samples late, interpolation requires one more, and
    // components advance by a row of MCUs while the lines before are measured.
    let pixels = 8 * largest / least + 16 * largest + 2
    return pixels * frame.components[component].vertical / largest + 16
  }

  /// Returns the number of lines up to which each component is complete.
  static func lines<Form>(of sweeps: [ComponentSweep<Form>]) -> [Int] {
    sweeps.map { $0.displayed ?? .max }
  }

  mutating func advance(to ends: [Int]) {
    while next < size.height, needs.allSatisfy({ $0.lines[next] <= ends[$0.component] }) {
      for index in originals.indices {
        originals[index].go(to: next)
        reencoded[index].go(to: next)
      }
      switch color {
      case .yCbCr: measureColors()
      case .cmyk, .ycck: measureInks()
      case .components: measureComponents()
      }
      next += interval
      measured += 1
    }
  }

  var distortion: Distortion {
    Distortion(
      meanSquaredError: Double(squares)
        / (Double(size.width * max(measured, 1)) * Double(max(channels, 1))),
      largestError: Int(largest.max())
    )
  }

  private mutating func measureComponents() {
    for index in originals.indices {
      var sums = SIMD8<UInt32>.zero
      for x in stride(from: 0, to: size.width, by: 8) {
        let difference = originals[index].pixels(x) &- reencoded[index].pixels(x)
        add(difference, x, &sums)
      }
      squares += Int64(sums.wrappedSum())
    }
  }

  private mutating func measureColors() {
    let (old, new) = (
      (originals[0], originals[1], originals[2]), (reencoded[0], reencoded[1], reencoded[2])
    )
    var sums = SIMD8<UInt32>.zero
    for x in stride(from: 0, to: size.width, by: 8) {
      let a = Self.color(old.0.pixels(x), old.1.pixels(x), old.2.pixels(x))
      let b = Self.color(new.0.pixels(x), new.1.pixels(x), new.2.pixels(x))
      add(a, b, x, &sums)
    }
    squares += Int64(sums.wrappedSum())
  }

  private mutating func measureInks() {
    var sums = SIMD8<UInt32>.zero
    for x in stride(from: 0, to: size.width, by: 8) {
      add(displayedInks(originals, x), displayedInks(reencoded, x), x, &sums)
    }
    squares += Int64(sums.wrappedSum())
  }

  /// Returns eight pixels of four inks as djpeg shows them.
  private func displayedInks(_ components: [UpsampledComponent], _ x: Int) -> Pixels {
    var inks = (
      red: components[0].pixels(x), green: components[1].pixels(x), blue: components[2].pixels(x)
    )
    if color == .ycck {
      let color = Self.color(inks.red, inks.green, inks.blue)
      // An ink is the inverse of the color that it absorbs; 0 is the middle of the range.
      inks = (~color.red, ~color.green, ~color.blue)
    }
    let black = components[3].pixels(x)
    return (
      Self.product(inks.red, black), Self.product(inks.green, black),
      Self.product(inks.blue, black)
    )
  }

  /// Returns the product of two samples, divided by 255 and rounded.
  @inline(__always)
  private static func product(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    let product =
      SIMD8<Int32>(lanes: a &+ 128) &* SIMD8<Int32>(lanes: b &+ 128) &+ SIMD8(repeating: 128)
    return SIMD8<Int16>(lanes: (product &+ (product &>> 8)) &>> 8)
  }

  @inline(__always)
  private mutating func add(_ a: Pixels, _ b: Pixels, _ x: Int, _ sums: inout SIMD8<UInt32>) {
    add(a.red &- b.red, x, &sums)
    add(a.green &- b.green, x, &sums)
    add(a.blue &- b.blue, x, &sums)
  }

  @inline(__always)
  private mutating func add(_ difference: SIMD8<Int16>, _ x: Int, _ sums: inout SIMD8<UInt32>) {
    var difference = difference
    if x &+ 8 > size.width {
      let visible = SIMD8<Int16>(0, 1, 2, 3, 4, 5, 6, 7) .< Int16(size.width &- x)
      difference.replace(with: 0, where: .!visible)
    }
    let magnitude = difference.larger(0 &- difference)
    largest = largest.larger(magnitude)
    let wide = SIMD8<UInt32>(lanes: magnitude)
    sums &+= wide &* wide
  }

  /// Converts YCbCr to RGB (ITU-T T.871, 7); 0 is the middle of the range.
  @inline(__always)
  private static func color(_ y: SIMD8<Int16>, _ cb: SIMD8<Int16>, _ cr: SIMD8<Int16>) -> Pixels {
    // A quarter of each factor in units of 2⁻¹⁶, because `scaled` multiplies by 8 and halves the result.
    (
      clamped(y &+ scaled(cr, 22_970)),
      clamped(y &- scaled(cb, 5_638) &- scaled(cr, 11_700)),
      clamped(y &+ scaled(cb, 29_032))
    )
  }

  @inline(__always)
  private static func scaled(_ value: SIMD8<Int16>, _ factor: Int32) -> SIMD8<Int16> {
    let product = SIMD8<Int32>(lanes: value &<< 3) &* SIMD8<Int32>(repeating: factor)
    return (SIMD8<Int16>(lanes: product &>> 16) &+ 1) &>> 1
  }

  @inline(__always)
  private static func clamped(_ value: SIMD8<Int16>) -> SIMD8<Int16> {
    value.limited(SIMD8(repeating: -128), SIMD8(repeating: 127))
  }
}
