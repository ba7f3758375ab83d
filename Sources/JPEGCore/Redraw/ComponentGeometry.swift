internal import ImageOrientation

/// The positions of a component's samples and blocks before and after the redraw, in the coordinates of the original.
///
/// A mirrored axis of 20 samples as an example: the right edge becomes the left one, so the re-encoded grid ends at
/// sample 20, and both grids differ by 4 samples.
///
/// ```text
///   sample     -4   0   4   8   12  16  20  24
///   original        |-------|-------|---+···|     20 … 23: padding of the original
///   re-encoded  |···+-------|-------|---|         -4 … -1: padding of the result, origin = -4
/// ```
struct ComponentGeometry: Hashable, Sendable {
  struct Axis: Hashable, Sendable {
    let blocks: Int
    /// The number of samples that belong to the image.
    let samples: Int
    let isMirrored: Bool
    /// The distance by which the re-encoded samples precede the original's, less than one sample.
    ///
    /// It is zero unless the re-encoded image begins within a chroma sample.
    let delay: Delay
    /// The original's samples, delayed by ``delay``, that belong to the re-encoded image.
    ///
    /// One may be beyond the original.
    let shown: Range<Int>
    /// The number of samples for `delay.denominator` pixels.
    let factor: Int
    /// The original's pixels that are re-encoded.
    let window: Range<Int>
    /// Whether all of the original is re-encoded.
    let isWhole: Bool

    init(
      blocks: Int,
      pixels: Int,
      window: Range<Int>,
      factor: Int,
      maxFactor: Int,
      isMirrored: Bool
    ) {
      self.blocks = blocks
      self.isMirrored = isMirrored
      self.factor = factor
      self.window = window
      isWhole = window == 0..<pixels
      samples = (pixels * factor).dividedUp(by: maxFactor)
      // The edge that becomes the left or the top one.
      let edge = (isMirrored ? window.upperBound : window.lowerBound) * factor
      let first = edge.dividedUp(by: maxFactor)
      delay = Delay(numerator: first * maxFactor - edge, denominator: maxFactor)
      let count = (window.count * factor).dividedUp(by: maxFactor)
      shown = isMirrored ? first - count..<first : first..<first + count
    }

    var resultBlocks: Int { shown.count.dividedUp(by: 8) }

    /// The first sample of the re-encoded image's blocks, at least -7.
    var origin: Int { isMirrored ? shown.upperBound - 8 * resultBlocks : shown.lowerBound }

    /// The number of samples for either image, in whole blocks.
    var extent: Int { max(8 * blocks, (origin + 8 * resultBlocks).dividedUp(by: 8) * 8) }

    /// Whether the re-encoded blocks consist of the same samples as blocks of the original.
    var isBlockAligned: Bool { origin % 8 == 0 && delay.isZero }

    /// Returns the lines of a row (or columns of a column) of the re-encoded blocks.
    func lines(ofResultBlock block: Int) -> Range<Int> {
      origin + 8 * block..<origin + 8 * block + 8
    }

    /// The samples of the re-encoded blocks that do not belong to the re-encoded image; nil if they are the original's
    /// padding.
    var padding: Range<Int>? {
      if isMirrored { return origin..<shown.lowerBound }
      guard shown != 0..<samples else { return nil }
      return shown.upperBound..<origin + 8 * resultBlocks
    }

    /// Returns whether a block of the original contains padding samples that the re-encoded image does not have.
    func losesPadding(ofBlock block: Int) -> Bool { !isBlockAligned && block == blocks - 1 }

    /// The number of pixels of a sample, if it is a whole number.
    fileprivate var pixelsPerSample: Int? {
      delay.denominator % factor == 0 ? delay.denominator / factor : nil
    }
  }

  struct Delay: Hashable, Sendable {
    let numerator: Int
    let denominator: Int
    var isZero: Bool { numerator == 0 }
  }

  let x: Axis
  let y: Axis
  private let transposes: Bool

  init(frame: Frame, component: Int, window: PixelRectangle, transform: OrientationTransform) {
    let blocks = frame.blocks(of: component)
    let part = frame.components[component]
    transposes = transform.transposes
    x = Axis(
      blocks: blocks.columns,
      pixels: frame.width,
      window: window.x..<window.right,
      factor: part.horizontal,
      maxFactor: frame.maxHorizontal,
      isMirrored: transform.movesRightEdge
    )
    y = Axis(
      blocks: blocks.rows,
      pixels: frame.height,
      window: window.y..<window.bottom,
      factor: part.vertical,
      maxFactor: frame.maxVertical,
      isMirrored: transform.movesBottomEdge
    )
  }

  var isBlockAligned: Bool { x.isBlockAligned && y.isBlockAligned }

  var isWhole: Bool { x.isWhole && y.isWhole }

  /// Whether samples are delayed by a fraction.
  var isDelayed: Bool { !x.delay.isZero || !y.delay.isZero }

  /// Returns whether decoders repeat samples, as libjpeg does if they have more than two pixels on either axis, or two
  /// pixels along lines of at most two samples.
  private func repeats(_ axis: Axis, samples: Int) -> Bool {
    guard let columns = x.pixelsPerSample, let rows = y.pixelsPerSample else { return false }
    return max(columns, rows) > 2 || axis.pixelsPerSample == 2 && samples <= 2
  }

  /// Returns the interpolation that decoders apply to the original, or to the re-encoded image.
  func interpolation(ofOriginal: Bool) -> (x: Interpolation, y: Interpolation) {
    let axis = transposes && !ofOriginal ? y : x
    let repeats = repeats(axis, samples: ofOriginal ? axis.samples : axis.shown.count)
    return (
      Interpolation(x, ofOriginal: ofOriginal, repeats: repeats),
      Interpolation(y, ofOriginal: ofOriginal, repeats: repeats)
    )
  }
}
