internal import ImageOrientation

/// Where the samples of a component lie before and after the redraw, seen from the original.
struct ComponentGeometry: Hashable, Sendable {
  /// One axis of the original.
  struct Axis: Hashable, Sendable {
    /// Blocks along the axis.
    let blocks: Int
    /// Samples that belong to the picture.
    let samples: Int
    /// Whether the turn makes the axis run the other way.
    let isMirrored: Bool
    /// How far the redrawn samples lie before the original's: less than one sample, and more than none only
    /// where a mirrored axis of the picture is not a multiple of the subsampling.
    let delay: Delay
    /// Samples for `delay.denominator` pixels.
    private let factor: Int

    init(blocks: Int, pixels: Int, factor: Int, largest: Int, isMirrored: Bool) {
      self.blocks = blocks
      self.isMirrored = isMirrored
      self.factor = factor
      samples = (pixels * factor).dividedUp(by: largest)
      delay = Delay(
        numerator: isMirrored ? samples * largest - pixels * factor : 0,
        denominator: largest
      )
    }

    /// The first sample of the redrawn picture's blocks: -7 to 0.
    var origin: Int { isMirrored ? samples - 8 * blocks : 0 }

    /// Whether the redrawn blocks consist of the same samples as the original's.
    var keepsGrid: Bool { origin == 0 && delay.isZero }

    /// Whether a block of the original contains samples that the redrawn picture has not.
    func losesPadding(ofBlock block: Int) -> Bool { !keepsGrid && block == blocks - 1 }

    /// Where the pixels of the picture lie between the samples.
    func interpolation(pixels: Int) -> Interpolation {
      let unit = 2 * delay.denominator
      func place(_ pixel: Int) -> Interpolation.Place {
        // Centres of pixels and of samples lie in the middle of what they cover.
        let place = min(
          max((2 * pixel + 1) * factor - delay.denominator, 0),
          (samples - 1) * unit
        )
        let first = place / unit
        return Interpolation.Place(
          first: first,
          second: min(first + 1, samples - 1),
          weight: Int32(unit - place % unit),
          rest: Int32(place % unit)
        )
      }
      let old = (0..<pixels).map(place)
      guard isMirrored else { return Interpolation(unit: unit, old: old, new: old) }
      let new = old.reversed().map { mirrored in
        var mirrored = mirrored
        mirrored.first = samples - 1 - mirrored.first
        mirrored.second = samples - 1 - mirrored.second
        return mirrored
      }
      return Interpolation(unit: unit, old: old, new: new)
    }
  }

  /// A part of a sample.
  struct Delay: Hashable, Sendable {
    let numerator: Int
    let denominator: Int
    var isZero: Bool { numerator == 0 }
  }

  /// The samples that decoders interpolate the pixels of an axis from.
  struct Interpolation {
    /// Two neighbouring samples and their weights.
    struct Place {
      var first: Int
      var second: Int
      var weight: Int32
      var rest: Int32
    }

    /// The sum of two weights.
    var unit: Int
    /// For each pixel its place in the original.
    var old: [Place]
    /// For each of these pixels its place in the redrawn picture.
    var new: [Place]
  }

  let x: Axis
  let y: Axis

  init(frame: Frame, component: Int, turn: Turn) {
    let blocks = frame.blocks(of: component)
    let part = frame.components[component]
    x = Axis(
      blocks: blocks.columns,
      pixels: frame.width,
      factor: part.horizontal,
      largest: frame.maxHorizontal,
      isMirrored: turn.movesRightEdge
    )
    y = Axis(
      blocks: blocks.rows,
      pixels: frame.height,
      factor: part.vertical,
      largest: frame.maxVertical,
      isMirrored: turn.movesBottomEdge
    )
  }

  var keepsGrid: Bool { x.keepsGrid && y.keepsGrid }
}
