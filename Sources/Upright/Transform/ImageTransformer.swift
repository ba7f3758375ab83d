internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// Transforms one image of a file: returns the edits of its frame, tables and scans.
struct ImageTransformer {
  let raster: RasterTransform
  /// The limits, and whether undo data and distortion of a re-encoding are computed, which doubles its cost.
  let options: Options
  var measuresTones = false

  /// The reason or error why an image is not transformed.
  enum Failure: Error {
    case refused(Reason)
    case failed(UprightError)
  }

  struct Result {
    /// The edits of the frame, the tables and the scans, in no particular order.
    var edits: [Edit]
    /// The image, and the data that restores it.
    var transformed: TransformedImage
    var distortion: Distortion?
    var tones: ToneGrid?
  }

  /// Coefficients to encode, and the result without the edits of the scans.
  private struct Drawing<Image> {
    var image: Image
    var result: Result
    /// How the image is made smaller if it must not grow.
    var thinning: Thinning?
  }

  /// Re-encodes an image, with its exceptions and its distortion if they are requested.
  private typealias Reencoder<Image> = (
    _ redraw: Redraw, _ original: borrowing SparseImage, _ exceptions: Bool,
    _ distortion: Distortion.Color?
  ) -> Redraw.Reencoded<Image>

  /// Re-encodes an image without the smallest coefficients from a zigzag position on.
  private struct Thinning {
    let redraw: Redraw
    let reencoded: (_ position: Int) -> Redraw.Reencoded<SparseImage>
  }

  func rewrite(_ bytes: [UInt8], room: Int?) throws(Failure) -> Result {
    if raster.container.hasDNL { throw .refused(.heightByDNL) }
    if let reason = DecodingLimits(options).refusal(raster) { throw .refused(reason) }
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
      if quality == nil, encoder.codesWholeBlocks {
        return try counted(bytes, decoding, encoder, room)
      }
      if let quality, room == nil, encoder.codesWholeBlocks {
        return try reencoded(bytes, decoding, encoder, quality)
      }
      var drawing: Drawing<SparseImage>
      if let quality {
        drawing = try redraw(bytes, decoding, quality) {
          $0.redraw($1, exceptions: $2, distortion: $3)
        }
      } else {
        let (image, info) = try decoding.coefficients(
          in: raster.window,
          transform: raster.transform
        )
        let transformed = TransformedImage(raster: raster, info: info)
        drawing = Drawing(
          image: image,
          result: Result(edits: try frameEdits(bytes), transformed: transformed)
        )
      }
      // Finer quantization steps need more bits, so the Huffman tables are optimized.
      let edits = try edits(&drawing, encoder, quality == nil ? .asOriginal : .optimal, room)
      drawing.result.edits += edits
      if measuresTones { drawing.result.tones = drawing.image.tones }
      return drawing.result
    }
  }

  /// Encodes each block while it is decoded; nil if a coefficient has no code.
  private func precoded(
    _ bytes: [UInt8],
    _ decoding: ImageDecoding,
    _ encoder: ImageEncoder,
    _ codes: [ComponentCodes]
  ) throws(UprightError) -> Result? {
    let (image, info) = try decoding.coefficients(
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
      transformed: TransformedImage(raster: raster, info: info),
      tones: measuresTones ? image.tones : nil
    )
  }

  /// Decodes and counts the blocks, and encodes them with the tables that give the length that `room` requests if
  /// possible.
  private func counted(
    _ bytes: [UInt8],
    _ decoding: ImageDecoding,
    _ encoder: ImageEncoder,
    _ room: Int?
  ) throws(UprightError) -> Result {
    let (image, info) = try decoding.runs(in: raster.window, transform: raster.transform)
    var edits = try frameEdits(bytes)
    let end = room == nil ? nil : raster.container.endOfImageOffset
    let left = (room ?? 0) - edits.totalShift
    do throws(ImageEncoder.Failure) {
      edits += try encoder.edits(image, room: end == nil ? nil : left)
    } catch {
      throw UprightError(error)
    }
    if let room, let end { edits.compensate(edits.totalShift - room, before: end) }
    return Result(
      edits: edits,
      transformed: TransformedImage(raster: raster, info: info),
      tones: measuresTones ? image.tones : nil
    )
  }

  /// Re-encodes and counts the blocks of a sequential image, and encodes them with optimal tables.
  private func reencoded(
    _ bytes: [UInt8],
    _ decoding: ImageDecoding,
    _ encoder: ImageEncoder,
    _ quality: Redraw.Quality
  ) throws(UprightError) -> Result {
    let drawing = try redraw(bytes, decoding, quality) {
      $0.redrawRuns($1, exceptions: $2, distortion: $3)
    }
    var result = drawing.result
    do throws(ImageEncoder.Failure) {
      result.edits += try encoder.edits(drawing.image, tables: .optimal)
    } catch {
      throw UprightError(error)
    }
    if measuresTones { result.tones = drawing.image.tones }
    return result
  }

  /// Returns the edits of the scans, with the length that `room` requests if possible.
  private func edits(
    _ drawing: inout Drawing<SparseImage>,
    _ encoder: ImageEncoder,
    _ tables: ImageEncoder.Tables,
    _ room: Int?
  ) throws(UprightError) -> [Edit] {
    let info = drawing.result.transformed.info.forTransformedImage
    do throws(ImageEncoder.Failure) {
      var edits = try encoder.edits(drawing.image, tables: tables, info)
      guard let room, let end = raster.container.endOfImageOffset else { return edits }
      let left = room - drawing.result.edits.totalShift
      if edits.totalShift > left, tables != .optimal {
        edits = try encoder.edits(drawing.image, tables: .optimal, info)
      }
      if edits.totalShift > left, case .redraw(.own) = raster.partialMCUs {
        edits = try fit(&drawing, encoder, left) ?? edits
      }
      edits.compensate(edits.totalShift - left, before: end)
      return edits
    } catch {
      throw UprightError(error)
    }
  }

  /// Reduces a re-encoded image to `room` by dropping the smallest high-frequency coefficients; nil if that is not
  /// enough.
  private func fit(
    _ drawing: inout Drawing<SparseImage>,
    _ encoder: ImageEncoder,
    _ room: Int
  ) throws(ImageEncoder.Failure) -> [Edit]? {
    guard let thinning = drawing.thinning else { return nil }
    let info = drawing.result.transformed.info.forTransformedImage
    var fitting: (position: Int, edits: [Edit])?
    var positions = 1..<64
    while !positions.isEmpty {
      let middle = (positions.lowerBound + positions.upperBound) / 2
      let image = thinning.redraw.thinned(drawing.image, from: middle)
      let edits = try encoder.edits(image, tables: .optimal, info)
      if edits.totalShift <= room {
        fitting = (middle, edits)
        positions = middle + 1..<positions.upperBound
      } else {
        positions = positions.lowerBound..<middle
      }
    }
    guard let fitting else { return nil }
    let reencoded = thinning.reencoded(fitting.position)
    drawing.image = reencoded.image
    drawing.result.transformed.exceptions = reencoded.exceptions
    drawing.result.transformed.thinnedFrom = fitting.position
    drawing.result.distortion = reencoded.distortion
    return fitting.edits
  }

  /// Returns the edits of the frame and the tables of a losslessly transformed image.
  private func frameEdits(_ bytes: [UInt8]) throws(UprightError) -> [Edit] {
    let rewriter = FrameEdits(raster.container, from: raster.frame, to: raster.transformed)
    let edits = rewriter.headerEdits(bytes.span)
    guard raster.transform.transposes else { return edits }
    do throws(ContainerError) {
      return edits + (try rewriter.transpositionEdits(bytes.span))
    } catch {
      throw UprightError(error)
    }
  }

  /// Returns the image with re-encoded components where their edges are not block-aligned.
  private func redraw<Image>(
    _ bytes: [UInt8],
    _ decoding: ImageDecoding,
    _ quality: Redraw.Quality,
    _ encode: Reencoder<Image>
  ) throws(UprightError) -> Drawing<Image> {
    let (original, info) = try decoding.coefficients(in: raster.source, transform: .none)
    do throws(ContainerError) {
      let tables = try decoding.parameters.quantizationTables(bytes.span)
      let color = raster.color(bytes.span)
      let redraw = raster.redraw(of: original, color: color, tables, quality)
      let frame = FrameEdits.assigningSlots(raster.transformed, redraw.resultTables)
      let rewriter = FrameEdits(raster.container, from: raster.frame, to: frame)
      let edits =
        try rewriter.headerEdits(bytes.span)
        + rewriter.quantizationEdits(redraw.resultTables, bytes.span)
      let isVerified = options.verification != .none
      // A crop cannot be restored and needs no exceptions.
      let (exceptions, distortion) = (isVerified && raster.isWhole, isVerified ? color : nil)
      let reencoded = encode(redraw, original, exceptions, distortion)
      guard !reencoded.isOutOfRange else {
        throw ContainerError(
          .malformed,
          at: raster.start,
          "the image data is damaged: coefficients are out of the range of 8-bit samples"
        )
      }
      let transformed = TransformedImage(
        raster: raster,
        info: info,
        exceptions: reencoded.exceptions
      )
      var drawing = Drawing(
        image: reencoded.image,
        result: Result(edits: edits, transformed: transformed, distortion: reencoded.distortion)
      )
      if quality == .own {
        drawing.thinning = Thinning(redraw: redraw) { [raster] position in
          raster.redraw(of: original, color: color, tables, quality, thinnedFrom: position)
            .redraw(original, exceptions: exceptions, distortion: distortion)
        }
      }
      return drawing
    } catch {
      throw UprightError(error)
    }
  }

  private func failing<Value>(
    _ body: () throws(UprightError) -> Value
  ) throws(Failure) -> Value {
    do throws(UprightError) { return try body() } catch { throw .failed(error) }
  }
}

extension ImageTransformer.Failure {
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
}

extension DecodingLimits {
  func refusal(_ raster: RasterTransform) -> Reason? {
    let scans = raster.container.scans.count
    return refusal(raster.frame, scans: scans, isReencoded: raster.isReencoded)
  }
}
