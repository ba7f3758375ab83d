internal import ImageOrientation
internal import JPEGCore

/// A picture whose scans were coded anew.
struct TurnedPicture {
  let picture: PictureTurn
  /// What the way back from a redraw needs.
  let exceptions: RedrawExceptions?

  /// Compares the coefficients of the result with those that the original gives again.
  ///
  /// - Throws: ``PictureRewriter/Failure`` when one differs.
  func verify(
    _ original: [UInt8],
    _ result: [UInt8],
    _ edits: [EditOutline]
  ) throws(PictureRewriter.Failure) {
    let copy = PictureUndo(
      resultStart: edits.position(of: picture.start),
      skeletonStart: 0,
      turn: .none
    )
    let found = CoefficientImage(try copy.resultCoefficients(result))
    let expected: CoefficientImage
    if case .redraw(let quality) = picture.edging {
      let tables = try? QuantizationTables.tables(
        of: picture.frame,
        in: picture.container,
        original.span
      )
      guard let tables else {
        throw .failed(UprightError(.verification, "a component has no quantization table"))
      }
      expected = picture.redraw(tables, quality)
        .redraw(CoefficientImage(try picture.originalCoefficients(original)))
    } else {
      expected = CoefficientImage(try picture.coefficients(original))
    }
    guard found.planes == expected.planes, found.coefficients == expected.coefficients else {
      throw .failed(UprightError(.verification, "a coefficient is not the one that was written"))
    }
  }
}
