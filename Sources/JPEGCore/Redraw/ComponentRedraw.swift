internal import ImageOrientation

/// Redraws one component, and takes that back.
///
/// Samples stay where the original has them. It is the grid of the redrawn blocks that lies askew in them, and
/// ``BlockLayout`` that turns coefficients.
struct ComponentRedraw: Sendable {
  let geometry: ComponentGeometry
  let original: BlockLayout
  let result: BlockLayout
  /// Whether the component is another one than the first.
  let isChroma: Bool

  /// The samples of the original.
  func originalSamples(_ image: borrowing CoefficientImage) -> SamplePlane {
    samples(image, original, (geometry.x.blocks, geometry.y.blocks), at: (0, 0))
  }

  /// The samples of the redrawn picture.
  func redrawnSamples(_ image: borrowing CoefficientImage) -> SamplePlane {
    let (x, y) = (geometry.x, geometry.y)
    return samples(image, result, (x.resultBlocks, y.resultBlocks), at: (x.origin, y.origin))
  }

  /// Computes the redrawn coefficients.
  func redraw(
    _ image: borrowing CoefficientImage,
    into coefficients: inout [Int16],
    _ masks: inout [UInt64]
  ) {
    var plane = originalSamples(image)
    prepareForResult(&plane)
    var coefficients = coefficients.mutableSpan
    var masks = masks.mutableSpan
    var buffer = BlockBuffer()
    let (x, y) = (geometry.x.origin, geometry.y.origin)
    for row in 0..<geometry.y.resultBlocks {
      if WorkLimit.reached != nil { break }
      for column in 0..<geometry.x.resultBlocks {
        let block = result.block(column: column, row: row)
        let samples = plane.block(x: x &+ 8 &* column, y: y &+ 8 &* row)
        let quotients = result.quantizer.quantized(BlockTransform.coefficients(samples))
        masks[block] = result.put(quotients, into: &coefficients, block: block, &buffer)
      }
    }
  }

  /// Codes the exceptions of the original's blocks.
  func record(
    _ redrawn: borrowing CoefficientImage,
    _ image: borrowing CoefficientImage,
    _ coder: inout ExceptionCoder<RangeEncoder>
  ) {
    var plane = redrawnSamples(redrawn)
    prepareForOriginal(&plane)
    let (coefficients, masks) = (image.coefficients.span, image.masks.span)
    var buffer = BlockBuffer()
    for row in 0..<geometry.y.blocks {
      if WorkLimit.reached != nil { break }
      for column in 0..<geometry.x.blocks {
        let block = original.block(column: column, row: row)
        let truth = original.quantized(coefficients, block: block, mask: masks[block], &buffer)
        _ = coder.code(truth, estimate(plane, column, row), kind(column, row))
      }
    }
  }

  /// Computes the original's coefficients.
  func restore(
    _ redrawn: borrowing CoefficientImage,
    _ coder: inout ExceptionCoder<RangeDecoder>,
    into coefficients: inout [Int16],
    _ masks: inout [UInt64]
  ) {
    var plane = redrawnSamples(redrawn)
    prepareForOriginal(&plane)
    var coefficients = coefficients.mutableSpan
    var masks = masks.mutableSpan
    var buffer = BlockBuffer()
    for row in 0..<geometry.y.blocks {
      if WorkLimit.reached != nil { break }
      for column in 0..<geometry.x.blocks {
        let block = original.block(column: column, row: row)
        let estimate = estimate(plane, column, row)
        let quotients = coder.code(estimate.quotients, estimate, kind(column, row))
        masks[block] = original.put(quotients, into: &coefficients, block: block, &buffer)
      }
    }
  }

  /// Puts the coefficients of a component that keeps its grid where the turn takes them, or back, if all of
  /// them were taken.
  func move(
    _ image: borrowing CoefficientImage,
    _ source: BlockLayout,
    to target: BlockLayout,
    into coefficients: inout [Int16],
    _ masks: inout [UInt64]
  ) {
    let (oldCoefficients, oldMasks) = (image.coefficients.span, image.masks.span)
    var coefficients = coefficients.mutableSpan
    var masks = masks.mutableSpan
    let (x, y) = (geometry.x.origin / 8, geometry.y.origin / 8)
    for row in 0..<geometry.y.resultBlocks {
      if WorkLimit.reached != nil { break }
      for column in 0..<geometry.x.resultBlocks {
        let from = source.block(column: x + column, row: y + row)
        let to = target.block(column: column, row: row)
        masks[to] = source.move(
          oldCoefficients,
          block: from,
          mask: oldMasks[from],
          to: target,
          &coefficients,
          block: to
        )
      }
    }
  }

  private func samples(
    _ image: borrowing CoefficientImage,
    _ layout: BlockLayout,
    _ blocks: (columns: Int, rows: Int),
    at origin: (x: Int, y: Int)
  ) -> SamplePlane {
    var plane = SamplePlane(width: geometry.x.extent, height: geometry.y.extent)
    let (coefficients, masks) = (image.coefficients.span, image.masks.span)
    var buffer = BlockBuffer()
    for row in 0..<blocks.rows {
      if WorkLimit.reached != nil { break }
      for column in 0..<blocks.columns {
        let block = layout.block(column: column, row: row)
        let values = layout.dequantized(coefficients, block: block, mask: masks[block], &buffer)
        plane.store(
          BlockTransform.samples(values),
          x: origin.x &+ 8 &* column,
          y: origin.y &+ 8 &* row
        )
      }
    }
    return plane
  }

  @inline(__always)
  private func estimate(
    _ plane: borrowing SamplePlane,
    _ column: Int,
    _ row: Int
  ) -> Quantizer.Estimate {
    let samples = plane.block(x: 8 &* column, y: 8 &* row)
    return original.quantizer.estimate(BlockTransform.coefficients(samples))
  }

  @inline(__always)
  private func kind<Coder>(_ column: Int, _ row: Int) -> ExceptionCoder<Coder>.Kind {
    ExceptionCoder<Coder>.Kind(
      losesColumns: geometry.x.losesPadding(ofBlock: column),
      losesRows: geometry.y.losesPadding(ofBlock: row),
      isChroma: isChroma
    )
  }

  /// Moves samples by the part of a sample that a mirrored axis or a beginning within a sample asks for, and
  /// repeats the edge where the redrawn picture's padding is.
  private func prepareForResult(_ plane: inout SamplePlane) {
    let (x, y) = (geometry.x, geometry.y)
    if !x.delay.isZero {
      let count = max(x.samples, x.shown.upperBound)
      plane.fillColumns(x.samples..<count, from: x.samples - 1)
      plane.delayColumns(by: x.delay, count: count, .forward)
    }
    if !y.delay.isZero {
      let count = max(y.samples, y.shown.upperBound)
      plane.fillRows(y.samples..<count, from: y.samples - 1)
      plane.delayRows(by: y.delay, count: count, .forward)
    }
    if let padding = x.padding {
      plane.fillColumns(
        padding,
        from: x.isMirrored ? x.shown.lowerBound : x.shown.upperBound - 1
      )
    }
    if let padding = y.padding {
      plane.fillRows(padding, from: y.isMirrored ? y.shown.lowerBound : y.shown.upperBound - 1)
    }
  }

  /// The opposite of ``prepareForResult(_:)``: the padding is now the original's.
  private func prepareForOriginal(_ plane: inout SamplePlane) {
    let (x, y) = (geometry.x, geometry.y)
    if !y.delay.isZero { plane.delayRows(by: y.delay, count: y.samples, .backward) }
    if !x.delay.isZero { plane.delayColumns(by: x.delay, count: x.samples, .backward) }
    if x.isMirrored { plane.fillColumns(x.samples..<plane.width, from: x.samples - 1) }
    if y.isMirrored { plane.fillRows(y.samples..<plane.height, from: y.samples - 1) }
  }
}
