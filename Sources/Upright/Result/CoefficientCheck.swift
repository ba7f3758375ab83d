internal import ImageOrientation
internal import JPEGCore

extension TransformedImage {
  /// Throws if a coefficient of the result differs from those computed again from the original.
  func verify(
    _ original: [UInt8],
    _ result: [UInt8],
    _ changes: [Change]
  ) throws(UprightError) {
    let shown = try ImageDecoding(ofImageAt: changes.positionInResult(of: raster.start), result)
    let found = try shown.coefficients(transform: .none).0
    let decoding = try ImageDecoding(raster.container, raster.frame, original)
    let expected: SparseImage
    if case .redraw(let quality) = raster.partialMCUs {
      guard let tables = try? decoding.parameters.quantizationTables(original.span) else {
        throw UprightError(.verification, "a component has no quantization table")
      }
      let (image, _) = try decoding.coefficients(in: raster.source, transform: .none)
      let redraw = raster.redraw(
        of: image,
        color: raster.color(original.span),
        tables,
        quality,
        thinnedFrom: thinnedFrom
      )
      expected = redraw.redraw(image).image
    } else {
      expected = try decoding.coefficients(in: raster.window, transform: raster.transform).0
    }
    guard found.isEqual(to: expected) else {
      throw UprightError(.verification, "a coefficient of the result differs from the expected one")
    }
  }
}
