internal import ImageOrientation
package import JPEGCore

/// Transforms one image of a file: gives the edits of its frame, tables and scans.
struct ImageRewriter {
  let raster: RasterTransform
  /// The limits, and whether a redraw is measured and what restoring it needs is found, which costs as much
  /// again as the redraw.
  let options: Options

  /// Why an image is left as it is, after all.
  enum Failure: Error {
    case refused(Reason)
    case failed(UprightError)
  }

  /// A transformed image.
  struct Result {
    /// The edits of the frame, the tables and the scans, in no particular order.
    var edits: [Edit]
    /// The image, and what restoring it needs.
    var transformed: TransformedImage
    /// How much a redraw differs from the original as displayed.
    var distortion: Distortion?
  }

  /// Coefficients to be coded, and what the file must say for them.
  private struct Drawing {
    var image: SparseImage
    var info: ReconstructionInfo
    var frameEdits: [Edit]
    /// The redraw that made the image, if one did.
    var redraw: Redrawing?
  }

  /// What a redraw found out beside the image.
  private struct Redrawing {
    var exceptions: RedrawExceptions?
    var distortion: Distortion?
    /// Makes the image again, thinned out from a zigzag position on; where it must not grow.
    var thin: ((_ position: Int, _ isLast: Bool) -> Redraw.Reencoded)?
    /// See ``TurnedPicture/thinnedFrom``.
    var thinnedFrom: Int?
  }

  /// Decodes, transforms and codes the image.
  ///
  /// - Parameters:
  ///   - bytes: The buffer that the image was found in.
  ///   - room: By how many bytes the image should change its length, because something after it must not
  ///     move; nil when that does not matter. The image is filled up where it becomes shorter, its Huffman
  ///     tables are optimized where it would become longer, and it is longer still where that is not enough.
  /// - Returns: The transformed image.
  /// - Throws: ``Failure``.
  func rewrite(_ bytes: [UInt8], room: Int?) throws(Failure) -> Result {
    try DecodingLimits(options).check(raster)
    let decoding = try failing { () throws(UprightError) in
      try ImageDecoding(raster.container, raster.frame, bytes)
    }
    let parameters = decoding.parameters
    let encoder = ImageEncoder(parameters, frame: raster.transformed)
    var quality: Redraw.Quality?
    if case .redraw(let asked) = raster.partialMCUs { quality = asked }
    guard
      quality == nil
        ? !raster.transform.transposes || parameters.isTransposable : parameters.isComplete
    else { throw .refused(.incompleteProgression) }
    return try failing { () throws(UprightError) in
      if quality == nil, room == nil, let codes = encoder.codes(),
        let result = try precoded(bytes, decoding, encoder, codes)
      {
        return result
      }
      var drawing: Drawing
      if let quality {
        drawing = try redraw(bytes, decoding, quality)
      } else {
        let (image, info) = try decoding.coefficients(
          bytes,
          in: raster.window,
          transform: raster.transform
        )
        drawing = Drawing(image: image, info: info, frameEdits: try frameEdits(bytes))
      }
      // Finer steps cost bits enough.
      let edits = try edits(&drawing, encoder, quality == nil ? .asOriginal : .optimal, room)
      return result(drawing, edits)
    }
  }

  /// Codes each block while it is decoded.
  ///
  /// - Returns: The transformed image; nil where a coefficient has no code.
  private func precoded(
    _ bytes: [UInt8],
    _ decoding: ImageDecoding,
    _ encoder: ImageEncoder,
    _ codes: [ComponentCodes]
  ) throws(UprightError) -> Result? {
    let (image, info) = try decoding.coefficients(
      bytes,
      in: raster.window,
      transform: raster.transform,
      codes: codes
    )
    let edits: [Edit]
    do throws(ImageEncoder.Failure) {
      edits = try encoder.edits(image, info.forTransformedImage)
    } catch {
      if case .noCode = error { return nil }
      throw UprightError(error)
    }
    return Result(
      edits: try frameEdits(bytes) + edits,
      transformed: TransformedImage(raster: raster, info: info)
    )
  }

  /// The edits of the scans, as long as the room asks for.
  private func edits(
    _ drawing: inout Drawing,
    _ encoder: ImageEncoder,
    _ tables: ImageEncoder.Tables,
    _ room: Int?
  ) throws(UprightError) -> [Edit] {
    let info = drawing.info.forTransformedImage
    do throws(ImageEncoder.Failure) {
      var edits = try encoder.edits(drawing.image, tables: tables, info)
      guard let room, let end = raster.container.endOfImageOffset else { return edits }
      let left = room - drawing.frameEdits.totalShift
      if edits.totalShift > left {
        edits = try encoder.edits(drawing.image, tables: .optimal, info)
      }
      if edits.totalShift > left, case .redraw(.own) = raster.partialMCUs {
        edits = try fit(&drawing, encoder, left) ?? edits
      }
      if edits.totalShift < left {
        let fill = [UInt8](repeating: 0xFF, count: left - edits.totalShift)
        edits.append(Edit(end..<end, with: fill, field: Edit.Field("fill")))
      }
      return edits
    } catch {
      throw UprightError(error)
    }
  }

  private func result(_ drawing: Drawing, _ edits: [Edit]) -> Result {
    var result = Result(
      edits: drawing.frameEdits + edits,
      transformed: TransformedImage(raster: raster, info: drawing.info)
    )
    result.transformed.thinnedFrom = drawing.redraw?.thinnedFrom
    result.transformed.exceptions = drawing.redraw?.exceptions
    result.distortion = drawing.redraw?.distortion
    return result
  }

  /// Makes a re-encoded image that must not grow fit, by leaving out the faintest of its finest detail.
  ///
  /// - Returns: The edits of the scans; nil where even that is not enough.
  private func fit(
    _ drawing: inout Drawing,
    _ encoder: ImageEncoder,
    _ room: Int
  ) throws(ImageEncoder.Failure) -> [Edit]? {
    guard let thin = drawing.redraw?.thin else { return nil }
    let info = drawing.info.forTransformedImage
    var fitting: (position: Int, edits: [Edit])?
    var positions = 1..<64
    while !positions.isEmpty {
      let middle = (positions.lowerBound + positions.upperBound) / 2
      let image = thin(middle, false).image
      let edits = try encoder.edits(image, tables: .optimal, info)
      if edits.totalShift <= room {
        fitting = (middle, edits)
        positions = middle + 1..<positions.upperBound
      } else {
        positions = positions.lowerBound..<middle
      }
    }
    guard let fitting else { return nil }
    let reencoded = thin(fitting.position, true)
    drawing.image = reencoded.image
    drawing.redraw = Redrawing(
      exceptions: reencoded.exceptions,
      distortion: reencoded.distortion,
      thinnedFrom: fitting.position
    )
    return fitting.edits
  }

  /// What a redraw is asked for beside the image: what was cut away cannot be restored anyhow.
  private func wish(_ bytes: [UInt8]) -> Redraw.Wish {
    options.verification == .none
      ? Redraw.Wish()
      : Redraw.Wish(exceptions: raster.isWhole, distortion: raster.color(bytes.span))
  }

  /// The edits of the frame and the tables of an image that is transformed coefficient by coefficient.
  private func frameEdits(_ bytes: [UInt8]) throws(UprightError) -> [Edit] {
    let rewriter = FrameRewriter(raster.container, from: raster.frame, to: raster.transformed)
    let edits = rewriter.headerEdits(bytes.span)
    guard raster.transform.transposes else { return edits }
    do throws(ContainerError) {
      return edits + (try rewriter.transpositionEdits(bytes.span))
    } catch {
      throw UprightError(error)
    }
  }

  /// The image with the components re-encoded whose edges are not block-aligned.
  private func redraw(
    _ bytes: [UInt8],
    _ decoding: ImageDecoding,
    _ quality: Redraw.Quality
  ) throws(UprightError) -> Drawing {
    let (original, info) = try decoding.coefficients(bytes, in: raster.source, transform: .none)
    do throws(ContainerError) {
      let tables = try QuantizationTables.tables(
        of: raster.frame,
        in: raster.container,
        bytes.span
      )
      let color = raster.color(bytes.span)
      let redraw = raster.redraw(of: original, color: color, tables, quality)
      let frame = FrameRewriter.assigningSlots(raster.transformed, redraw.resultTables)
      let rewriter = FrameRewriter(raster.container, from: raster.frame, to: frame)
      let edits =
        try rewriter.headerEdits(bytes.span)
        + rewriter.quantizationEdits(redraw.resultTables, bytes.span)
      let wish = wish(bytes)
      let reencoded = redraw.redraw(original, wish)
      guard !reencoded.isOutOfRange else {
        throw ContainerError(
          .malformed,
          at: raster.start,
          "the image data is damaged: coefficients are out of the range of 8-bit samples"
        )
      }
      var rewritten = Redrawing(exceptions: reencoded.exceptions, distortion: reencoded.distortion)
      if quality == .own {
        rewritten.thin = { [raster] position, isLast in
          raster.redraw(of: original, color: color, tables, quality, thinnedFrom: position)
            .redraw(original, isLast ? wish : Redraw.Wish())
        }
      }
      return Drawing(image: reencoded.image, info: info, frameEdits: edits, redraw: rewritten)
    } catch {
      throw UprightError(error)
    }
  }

  /// Makes an error of the image a failure of its rewrite.
  private func failing<Value>(
    _ body: () throws(UprightError) -> Value
  ) throws(Failure) -> Value {
    do throws(UprightError) { return try body() } catch { throw .failed(error) }
  }
}

extension ImageRewriter.Failure {
  /// What is wrong, in words.
  var text: String {
    switch self {
    case .refused(let reason): reason.explanation
    case .failed(let error): error.message
    }
  }
}

extension UprightError {
  init(_ error: ImageEncoder.Failure) {
    switch error {
    case .noCode:
      self.init(.damagedScan, "the Huffman tables have no code for a coefficient")
    case .stopped(let limit): self.init(limit)
    }
  }

  package init(_ error: ContainerError) {
    let code: Code =
      switch error.kind {
      case .empty: .empty
      case .notJPEG: .notJPEG
      case .truncated: .truncated
      case .malformed: .malformed
      case .limit: .limit
      }
    self.init(code, at: error.offset, error.message)
  }
}
