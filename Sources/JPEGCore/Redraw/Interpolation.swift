/// The samples and weights from which decoders interpolate the pixels of an axis, as libjpeg does.
///
/// With two pixels for each sample (fancy upsampling), a pixel is three quarters of its sample and one quarter of the
/// sample on its side:
///
/// ```text
///   samples    s0      s1      s2
///   pixels   p0  p1  p2  p3  p4  p5       p1 = (3 · s0 + s1) / 4,  p2 = (3 · s1 + s0) / 4
/// ```
///
/// Where a sample has more than two pixels on either axis, libjpeg repeats samples instead.
struct Interpolation {
  struct Place {
    var first: Int
    var second: Int
    var weight: Int16
    var rest: Int16
  }

  enum Ratio {
    case one
    case two
    case other
  }

  let ratio: Ratio
  let unit: Int16
  /// The samples that belong to the image.
  let samples: Range<Int>
  /// Twice the sample of the first pixel, plus one if the pixel is in its second half; used if the ratio is two.
  let start: Int
  let places: [Place]

  /// Finds the positions of the re-encoded image's pixels between the samples of the original, or between the
  /// re-encoded ones.
  init(_ axis: ComponentGeometry.Axis, ofOriginal: Bool, repeats: Bool) {
    let (factor, maxFactor) = (axis.factor, axis.delay.denominator)
    let samples = ofOriginal ? 0..<axis.samples : axis.shown
    let pixels = ofOriginal ? axis.window : 0..<axis.window.count
    let isMirrored = !ofOriginal && axis.isMirrored
    ratio = factor == maxFactor ? .one : 2 * factor == maxFactor && !repeats ? .two : .other
    let unit = ratio == .two ? 4 : 2 * maxFactor
    let scale = 2 * maxFactor / unit
    self.unit = Int16(unit)
    self.samples = samples
    start =
      isMirrored
      ? 2 * samples.upperBound - pixels.upperBound
      : 2 * samples.lowerBound + pixels.lowerBound
    let last = samples.count - 1
    places = pixels.map { pixel in
      let pixel = isMirrored ? pixels.upperBound - 1 - pixel : pixel
      // In units of 1/`unit` of a sample: the distance between the centres of the pixel and of the first sample.
      let centre = min(max(((2 * pixel + 1) * factor - maxFactor) / scale, 0), last * unit)
      let place = repeats ? min(pixel * factor / maxFactor, last) * unit : centre
      let (first, second) = (place / unit, min(place / unit + 1, last))
      return Place(
        first: isMirrored ? samples.upperBound - 1 - first : samples.lowerBound + first,
        second: isMirrored ? samples.upperBound - 1 - second : samples.lowerBound + second,
        weight: Int16(unit - place % unit),
        rest: Int16(place % unit)
      )
    }
  }
}
