internal import ImageOrientation

/// The geometry, block layouts and quantization of one re-encoded component.
struct ComponentRedraw: Sendable {
  let geometry: ComponentGeometry
  let original: BlockLayout
  let result: BlockLayout
  /// The first zigzag position from which values of ±1 become zero; nil for none.
  var thinnedFrom: Int?

  /// Returns a band for the original's samples, from which re-encoded blocks are made.
  func originalBand(lines: Int, keepsBlocks: Bool) -> SampleBand {
    func axis(_ axis: ComponentGeometry.Axis) -> SampleBand.Axis {
      let edge = axis.isMirrored ? axis.shown.lowerBound : axis.shown.upperBound - 1
      return SampleBand.Axis(
        origin: 0,
        blocks: axis.blocks,
        samples: axis.samples,
        delayed: max(axis.samples, axis.shown.upperBound),
        delay: axis.delay,
        padding: axis.padding ?? edge..<edge,
        edge: edge
      )
    }
    return SampleBand(
      x: axis(geometry.x),
      y: axis(geometry.y),
      .forward,
      width: geometry.x.extent,
      lines: lines,
      keepsBlocks: keepsBlocks
    )
  }

  /// Returns a band for the re-encoded samples, from which the original's blocks are estimated.
  ///
  /// The whole original must have been re-encoded.
  func reencodedBand(lines: Int) -> SampleBand {
    func axis(_ axis: ComponentGeometry.Axis) -> SampleBand.Axis {
      SampleBand.Axis(
        origin: axis.origin,
        blocks: axis.resultBlocks,
        samples: axis.samples,
        delayed: axis.samples,
        delay: axis.delay,
        padding: axis.samples..<(axis.isMirrored ? axis.extent : axis.samples),
        edge: axis.samples - 1
      )
    }
    return SampleBand(
      x: axis(geometry.x),
      y: axis(geometry.y),
      .backward,
      width: geometry.x.extent,
      lines: lines,
      keepsBlocks: false
    )
  }

  /// Estimates the blocks of a row of the original, and codes the exceptions.
  @inline(__always)
  func codeRow<Coder>(
    _ row: Int,
    _ band: SampleBand,
    _ blocks: BlockRow,
    _ coder: inout ExceptionCoder<Coder>
  ) {
    let (samples, quantizer) = (band.prepared, original.quantizer)
    let losesRows = geometry.y.losesPadding(ofBlock: row)
    for column in 0..<geometry.x.blocks {
      let values = BlockTransform.coefficients(samples.block(x: 8 &* column, y: 8 &* row))
      let kind = ExceptionCoder<Coder>.Kind(
        losesColumns: geometry.x.losesPadding(ofBlock: column),
        losesRows: losesRows
      )
      coder.code(&blocks[column], quantizer.estimate(values), kind, quantizer)
    }
  }
}
