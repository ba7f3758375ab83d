internal import ImageOrientation

/// The positions of a component's samples before and after the redraw, seen from the original.
struct ComponentGeometry: Hashable, Sendable {
  /// One axis of the original.
  struct Axis: Hashable, Sendable {
    /// Blocks along the axis.
    let blocks: Int
    /// Samples that belong to the image.
    let samples: Int
    /// Whether the transform makes the axis run the other way.
    let isMirrored: Bool
    /// The distance of the re-encoded samples before the original's: less than one sample, and more than none only
    /// where the re-encoded image begins within a chroma sample.
    let delay: Delay
    /// The original's samples, moved by ``delay``, that belong to the re-encoded image; one may be beyond the
    /// original.
    let shown: Range<Int>
    /// Samples for `delay.denominator` pixels.
    private let factor: Int
    /// The pixels of the original that are re-encoded.
    private let window: Range<Int>
    private let pixels: Int

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
      self.pixels = pixels
      samples = (pixels * factor).dividedUp(by: maxFactor)
      // The edge that is moved to the left or the top.
      let edge = (isMirrored ? window.upperBound : window.lowerBound) * factor
      let first = edge.dividedUp(by: maxFactor)
      delay = Delay(numerator: first * maxFactor - edge, denominator: maxFactor)
      let count = (window.count * factor).dividedUp(by: maxFactor)
      shown = isMirrored ? first - count..<first : first..<first + count
    }

    /// Blocks of the re-encoded image.
    var resultBlocks: Int { shown.count.dividedUp(by: 8) }

    /// The first sample of the re-encoded image's blocks: at least -7.
    var origin: Int { isMirrored ? shown.upperBound - 8 * resultBlocks : shown.lowerBound }

    /// Room for the samples of either image, whole blocks.
    var extent: Int { max(8 * blocks, (origin + 8 * resultBlocks).dividedUp(by: 8) * 8) }

    /// Whether the re-encoded blocks consist of the same samples as blocks of the original.
    var isBlockAligned: Bool { origin % 8 == 0 && delay.isZero }

    /// The lines of a row or a column of the re-encoded image's blocks.
    func lines(ofResultBlock block: Int) -> Range<Int> {
      origin + 8 * block..<origin + 8 * block + 8
    }

    /// Whether all of the original is re-encoded.
    var isWhole: Bool { window == 0..<pixels }

    /// How many pixels are re-encoded.
    var pixelCount: Int { window.count }

    /// The samples of the re-encoded blocks that do not belong to the re-encoded image; nil where they are the
    /// original's own padding.
    var padding: Range<Int>? {
      if isMirrored { return origin..<shown.lowerBound }
      guard shown != 0..<samples else { return nil }
      return shown.upperBound..<origin + 8 * resultBlocks
    }

    /// Whether a block of the original contains samples that the re-encoded image has not.
    func losesPadding(ofBlock block: Int) -> Bool { !isBlockAligned && block == blocks - 1 }

    /// How many pixels a sample has, if that is a whole number.
    fileprivate var pixelsPerSample: Int? {
      delay.denominator % factor == 0 ? delay.denominator / factor : nil
    }

    /// Where the pixels of the re-encoded image are between the samples of the original.
    fileprivate func originalInterpolation(repeats: Bool) -> Interpolation {
      Interpolation(
        factor: factor,
        maxFactor: delay.denominator,
        samples: 0..<samples,
        pixels: window,
        isMirrored: false,
        repeats: repeats
      )
    }

    /// Where they are between the re-encoded samples.
    fileprivate func reencodedInterpolation(repeats: Bool) -> Interpolation {
      Interpolation(
        factor: factor,
        maxFactor: delay.denominator,
        samples: shown,
        pixels: 0..<window.count,
        isMirrored: isMirrored,
        repeats: repeats
      )
    }
  }

  /// A part of a sample.
  struct Delay: Hashable, Sendable {
    let numerator: Int
    let denominator: Int
    var isZero: Bool { numerator == 0 }
  }

  let x: Axis
  let y: Axis

  init(frame: Frame, component: Int, window: PixelRectangle, transform: OrientationTransform) {
    let blocks = frame.blocks(of: component)
    let part = frame.components[component]
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

  /// Whether the re-encoded blocks consist of the same samples as blocks of the original.
  var isBlockAligned: Bool { x.isBlockAligned && y.isBlockAligned }

  /// Whether all of the original is re-encoded.
  var isWhole: Bool { x.isWhole && y.isWhole }

  /// Whether decoders repeat samples, as libjpeg does where they have more than two pixels on either axis.
  private var repeats: Bool {
    guard let columns = x.pixelsPerSample, let rows = y.pixelsPerSample else { return false }
    return max(columns, rows) > 2
  }

  /// What decoders display of the original.
  var originalInterpolation: (x: Interpolation, y: Interpolation) {
    (x.originalInterpolation(repeats: repeats), y.originalInterpolation(repeats: repeats))
  }

  /// What decoders display of the re-encoded image.
  var reencodedInterpolation: (x: Interpolation, y: Interpolation) {
    (x.reencodedInterpolation(repeats: repeats), y.reencodedInterpolation(repeats: repeats))
  }
}
