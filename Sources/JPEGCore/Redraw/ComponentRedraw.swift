internal import ImageOrientation

/// The geometry, block layouts and quantization of one re-encoded component.
struct ComponentRedraw: Sendable {
  let geometry: ComponentGeometry
  let original: BlockLayout
  let result: BlockLayout
  /// The first zigzag position from which values of ±1 become zero; nil for none.
  var thinnedFrom: Int?

  /// Estimates the blocks of a row of the original, and codes the exceptions.
  @inline(__always)
  func codeRow<Coder>(
    _ row: Int,
    _ band: SampleBand,
    _ blocks: BlockRow,
    _ coder: inout ExceptionCoder<Coder>
  ) {
    let (lines, quantizer) = (band.prepared.lines(from: 8 &* row), original.quantizer)
    let losesRows = geometry.y.losesPadding(ofBlock: row)
    for column in 0..<geometry.x.blocks {
      let values = BlockTransform.coefficients(lines[8 &* column])
      let kind = (losesRows ? 2 : 0) + (geometry.x.losesPadding(ofBlock: column) ? 1 : 0)
      coder.code(&blocks[column], quantizer.estimate(values), kind, quantizer)
    }
  }
}
