/// The samples that decoders interpolate the pixels of an axis from.
///
/// They are the nearest one and its neighbour on the side of the pixel, three to one where there are two pixels a
/// sample, which libjpeg calls fancy upsampling. It repeats samples where a sample has more pixels on either axis.
struct Interpolation {
  /// Two neighbouring samples and their weights.
  struct Place {
    var first: Int
    var second: Int
    var weight: Int16
    var rest: Int16
  }

  /// How many pixels a sample has.
  enum Ratio {
    case one
    case two
    case other
  }

  let ratio: Ratio
  /// The sum of two weights.
  let unit: Int16
  /// The samples that belong to the image.
  let samples: Range<Int>
  /// Twice the sample of the first pixel, and one more if the pixel is in its second half; where the ratio is two.
  let start: Int
  /// For each pixel its place.
  let places: [Place]

  /// - Parameters:
  ///   - factor: The component's sampling factor.
  ///   - maxFactor: The largest of all components.
  ///   - samples: The samples that belong to the image.
  ///   - pixels: The pixels, counted from the edge of these samples.
  ///   - isMirrored: Whether they are counted from the end.
  ///   - repeats: Whether samples are repeated instead.
  init(
    factor: Int,
    maxFactor: Int,
    samples: Range<Int>,
    pixels: Range<Int>,
    isMirrored: Bool,
    repeats: Bool
  ) {
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
      // Centres of pixels and of samples are in the middle of what they cover.
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
