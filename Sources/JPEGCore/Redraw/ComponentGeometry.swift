internal import ImageOrientation

/// Where the samples of a component lie before and after the redraw, as the original has them.
struct ComponentGeometry: Hashable, Sendable {
  /// One axis of the original.
  struct Axis: Hashable, Sendable {
    /// Blocks along the axis.
    var blocks: Int
    /// Samples that belong to the picture.
    var samples: Int
    /// Whether the turn makes the axis run the other way.
    var isMirrored: Bool
    /// How far the redrawn samples lie before the original's ones, in samples: less than one, and other
    /// than zero only where a mirrored axis of the picture is not a multiple of the subsampling.
    var delay: Delay

    /// The first sample of the redrawn picture's blocks: from -7 to 0.
    var origin: Int { isMirrored ? samples - 8 * blocks : 0 }

    /// Whether the redrawn blocks consist of the same samples as the original's.
    var keepsGrid: Bool { origin == 0 && delay.isZero }
  }

  /// A part of a sample, as a fraction.
  struct Delay: Hashable, Sendable {
    var numerator: Int
    var denominator: Int
    var isZero: Bool { numerator == 0 }
  }

  var x: Axis
  var y: Axis

  init(frame: Frame, component: Int, turn: Turn) {
    let blocks = frame.blocks(of: component)
    func axis(
      _ blocks: Int,
      _ pixels: Int,
      _ factor: Int,
      _ largest: Int,
      _ isMirrored: Bool
    )
      -> Axis
    {
      let samples = (pixels * factor).dividedUp(by: largest)
      return Axis(
        blocks: blocks,
        samples: samples,
        isMirrored: isMirrored,
        delay: Delay(
          numerator: isMirrored ? samples * largest - pixels * factor : 0,
          denominator: largest
        )
      )
    }
    let part = frame.components[component]
    x = axis(
      blocks.columns,
      frame.width,
      part.horizontal,
      frame.maxHorizontal,
      turn.movesRightEdge
    )
    y = axis(blocks.rows, frame.height, part.vertical, frame.maxVertical, turn.movesBottomEdge)
  }

  var keepsGrid: Bool { x.keepsGrid && y.keepsGrid }
}
