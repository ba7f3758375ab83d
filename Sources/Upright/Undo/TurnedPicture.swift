internal import ImageOrientation
internal import JPEGCore

/// An image whose scans were encoded again.
struct TurnedPicture {
  let picture: PictureTurn
  /// What coding the original again needs beside its coefficients.
  let info: ReconstructionInfo
  /// What restoring a redraw needs.
  var exceptions: RedrawExceptions?
  /// The first zigzag position from which a redraw leaves out the faintest detail, to fit into its room.
  var thinnedFrom: Int?

  /// Compares the coefficients of the result with those that the original gives again.
  ///
  /// - Throws: ``UprightError`` when one differs.
  func verify(
    _ original: [UInt8],
    _ result: [UInt8],
    _ edits: [EditOutline]
  ) throws(UprightError) {
    let copy = PictureUndo(
      resultStart: edits.position(of: picture.start),
      skeletonStart: 0,
      turn: .none
    )
    let found = CoefficientImage(try copy.resultCoefficients(result))
    let decoding = try ImageDecoding(picture.container, picture.frame, original)
    let expected: CoefficientImage
    if case .redraw(let quality) = picture.edging {
      let tables = try? QuantizationTables.tables(
        of: picture.frame,
        in: picture.container,
        original.span
      )
      guard let tables else {
        throw UprightError(.verification, "a component has no quantization table")
      }
      let (image, _) = try decoding.coefficients(original, in: picture.source, turn: .none)
      let redraw = picture.redraw(
        of: image,
        color: picture.color(original.span),
        tables,
        quality,
        thinnedFrom: thinnedFrom
      )
      expected = CoefficientImage(redraw.redraw(image).image)
    } else {
      expected = CoefficientImage(
        try decoding.coefficients(original, in: picture.window, turn: picture.turn).0
      )
    }
    guard found.planes == expected.planes, found.coefficients == expected.coefficients else {
      throw UprightError(.verification, "a coefficient is not the one that was written")
    }
  }
}
