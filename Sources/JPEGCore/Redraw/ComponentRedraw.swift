internal import ImageOrientation

/// Redraws one component, and takes that back.
struct ComponentRedraw: Sendable {
  let geometry: ComponentGeometry
  let original: BlockLayout
  let result: BlockLayout

  /// The samples of the original, as the blocks of the redrawn picture see them.
  func originalSamples(_ image: borrowing CoefficientImage) -> SamplePlane {
    var plane = emptyPlane
    store(image, original, at: (0, 0), in: &plane)
    prepareForResult(&plane)
    return plane
  }

  /// The samples of the redrawn picture, as the blocks of the original see them.
  func redrawnSamples(_ image: borrowing CoefficientImage) -> SamplePlane {
    var plane = emptyPlane
    store(image, result, at: (geometry.x.origin, geometry.y.origin), in: &plane)
    prepareForOriginal(&plane)
    return plane
  }

  /// Cuts the redrawn blocks out of the samples and puts their coefficients into `image`, where they are zero.
  func draw(_ plane: borrowing SamplePlane, into image: inout CoefficientImage) {
    cut(
      plane,
      at: (geometry.x.origin, geometry.y.origin),
      result,
      into: &image.coefficients,
      &image.masks
    )
  }

  /// Cuts the original's blocks out of the samples, likewise.
  func restore(_ plane: borrowing SamplePlane, into image: inout CoefficientImage) {
    cut(plane, at: (0, 0), original, into: &image.coefficients, &image.masks)
  }

  /// Puts the coefficients of a component that keeps its grid where the turn takes them, or back.
  func move(
    _ image: borrowing CoefficientImage,
    _ source: BlockLayout,
    to target: BlockLayout,
    into movedCoefficients: inout [Int16],
    _ movedMasks: inout [UInt64]
  ) {
    let (coefficients, masks) = (image.coefficients.span, image.masks.span)
    var movedCoefficients = movedCoefficients.mutableSpan
    var movedMasks = movedMasks.mutableSpan
    for row in 0..<geometry.y.blocks {
      for column in 0..<geometry.x.blocks {
        let (from, to) = (
          source.block(column: column, row: row), target.block(column: column, row: row)
        )
        movedMasks[to] = source.move(
          coefficients,
          block: from,
          mask: masks[from],
          to: target,
          block: to,
          &movedCoefficients
        )
      }
    }
  }

  private var emptyPlane: SamplePlane {
    SamplePlane(width: 8 * geometry.x.blocks, height: 8 * geometry.y.blocks)
  }

  private func store(
    _ image: borrowing CoefficientImage,
    _ layout: BlockLayout,
    at origin: (x: Int, y: Int),
    in plane: inout SamplePlane
  ) {
    let (coefficients, masks) = (image.coefficients.span, image.masks.span)
    var buffer = BlockBuffer()
    for row in 0..<geometry.y.blocks {
      for column in 0..<geometry.x.blocks {
        let block = layout.block(column: column, row: row)
        let values = layout.dequantized(coefficients, block: block, mask: masks[block], &buffer)
        plane.store(
          BlockTransform.samples(values),
          x: origin.x &+ 8 &* column,
          y: origin.y &+ 8 &* row
        )
      }
    }
  }

  private func cut(
    _ plane: borrowing SamplePlane,
    at origin: (x: Int, y: Int),
    _ layout: BlockLayout,
    into coefficients: inout [Int16],
    _ masks: inout [UInt64]
  ) {
    var coefficients = coefficients.mutableSpan
    var masks = masks.mutableSpan
    var buffer = BlockBuffer()
    for row in 0..<geometry.y.blocks {
      for column in 0..<geometry.x.blocks {
        let block = layout.block(column: column, row: row)
        let samples = plane.block(x: origin.x &+ 8 &* column, y: origin.y &+ 8 &* row)
        masks[block] = layout.quantize(
          BlockTransform.coefficients(samples),
          into: &coefficients,
          block: block,
          &buffer
        )
      }
    }
  }

  /// Moves samples by the parts of a sample that a mirrored axis needs, and repeats the edge where the
  /// redrawn picture's padding is.
  private func prepareForResult(_ plane: inout SamplePlane) {
    let (x, y) = (geometry.x, geometry.y)
    if !x.delay.isZero {
      plane.delayColumns(FractionalDelay(x.delay), count: x.samples, .forward)
    }
    if !y.delay.isZero {
      plane.delayRows(FractionalDelay(y.delay), count: y.samples, .forward)
    }
    if x.isMirrored { plane.fillColumns(x.origin..<0, from: 0) }
    if y.isMirrored { plane.fillRows(y.origin..<0, from: 0) }
  }

  /// The opposite of ``prepareForResult(_:)``.
  private func prepareForOriginal(_ plane: inout SamplePlane) {
    let (x, y) = (geometry.x, geometry.y)
    if !y.delay.isZero {
      plane.delayRows(FractionalDelay(y.delay), count: y.samples, .backward)
    }
    if !x.delay.isZero {
      plane.delayColumns(FractionalDelay(x.delay), count: x.samples, .backward)
    }
    if x.isMirrored { plane.fillColumns(x.samples..<plane.width, from: x.samples - 1) }
    if y.isMirrored { plane.fillRows(y.samples..<plane.height, from: y.samples - 1) }
  }
}
