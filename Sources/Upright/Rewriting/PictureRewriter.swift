internal import ImageOrientation
package import JPEGCore
internal import TurboTransform

/// Turns one JPEG picture: gives the edits of its frame, tables and scans.
struct PictureRewriter {
  let picture: PictureTurn
  /// The limits, and whether a redraw is measured and what its way back needs found out, which costs as much
  /// again as the redraw.
  let options: Options

  /// Why a picture is left as it is, after all.
  enum Failure: Error {
    case refused(Reason)
    case failed(UprightError)
  }

  /// A turned picture.
  struct Result {
    /// The edits of the frame, the tables and the scans, in no particular order.
    var edits: [Edit]
    /// What a redraw's way back needs beside the redrawn picture.
    var exceptions: RedrawExceptions?
    /// How close a redraw came.
    var closeness: Closeness?
  }

  /// Coefficients to be coded, and what the file must say for them.
  private struct Drawing {
    var image: SparseImage
    var frameEdits: [Edit]
    /// The redraw that made the image, with the coefficients that it was made of, and those that it made.
    var redraw: (Redraw, original: CoefficientImage, result: CoefficientImage)?
  }

  /// Reads, turns and codes the picture.
  ///
  /// - Parameters:
  ///   - bytes: The buffer that the picture was found in.
  ///   - room: By how many bytes the picture should change its length, because something behind it must not
  ///     move; nil when that does not matter. The picture is filled up where it becomes shorter, its Huffman
  ///     tables are optimized where it would become longer, and it is longer still where that is not enough.
  /// - Returns: The turned picture.
  /// - Throws: ``Failure``.
  func rewrite(_ bytes: [UInt8], room: Int?) throws(Failure) -> Result {
    try DecodingLimits(options).check(picture)
    let script = try coding { () throws(ScanScript.Failure) in
      try ScanScript(picture.container, frame: picture.turned, bytes.span)
    }
    var drawing: Drawing
    var tables = ScanScript.Tables.asOriginal
    switch picture.edging {
    case .exact, .trim:
      guard !picture.turn.transposes || script.isTransposable else {
        throw .refused(.incompleteProgression)
      }
      // A picture that must fit into its room may have to be coded again, with other tables.
      if room == nil, let codes = script.codes() {
        let image = try picture.coefficients(bytes, codes)
        if let edits = try? script.edits(image) {
          return Result(edits: try frameEdits(bytes) + edits)
        }
      }
      let frameEdits = try frameEdits(bytes)
      drawing = Drawing(image: try picture.coefficients(bytes), frameEdits: frameEdits)
    case .redraw(let quality):
      guard script.isComplete else { throw .refused(.incompleteProgression) }
      drawing = try redraw(bytes, quality)
      // Finer steps cost bits enough.
      tables = .optimal
    }
    var edits = try coding { () throws(ScanScript.Failure) in
      try script.edits(drawing.image, tables: tables)
    }
    if let room, let end = picture.container.endOfImageOffset {
      let left = room - drawing.frameEdits.totalShift
      if edits.totalShift > left {
        edits = try coding { () throws(ScanScript.Failure) in
          try script.edits(drawing.image, tables: .optimal)
        }
      }
      if edits.totalShift > left, case .redraw(.own) = picture.edging {
        edits = try coding { () throws(ScanScript.Failure) in
          try Self.fit(&drawing, script, left) ?? edits
        }
      }
      if edits.totalShift < left {
        let fill = [UInt8](repeating: 0xFF, count: left - edits.totalShift)
        edits.append(Edit(end..<end, with: fill, field: Edit.Field("fill")))
      }
    }
    var result = Result(edits: drawing.frameEdits + edits)
    if options.verifies, let (redraw, original, redrawn) = drawing.redraw {
      // What was cut away cannot be restored anyhow.
      if picture.isWhole {
        result.exceptions = redraw.exceptions(of: redrawn, from: original)
      }
      result.closeness = redraw.closeness(of: redrawn, to: original)
    }
    return result
  }

  /// Makes a redrawn picture that must not grow fit, by leaving out the faintest of its finest detail.
  ///
  /// - Returns: The edits of the scans; nil where even that is not enough.
  private static func fit(
    _ drawing: inout Drawing,
    _ script: ScanScript,
    _ room: Int
  ) throws(ScanScript.Failure) -> [Edit]? {
    guard let (redraw, _, redrawn) = drawing.redraw else { return nil }
    let components = redraw.keepsGrid.indices.filter { !redraw.keepsGrid[$0] }
    var fitting: (image: CoefficientImage, edits: [Edit])?
    var positions = 1..<64
    while !positions.isEmpty {
      let middle = (positions.lowerBound + positions.upperBound) / 2
      let image = redrawn.withoutFaintDetail(from: middle, components: components)
      let edits = try script.edits(SparseImage(image), tables: .optimal)
      if edits.totalShift <= room {
        fitting = (image, edits)
        positions = middle + 1..<positions.upperBound
      } else {
        positions = positions.lowerBound..<middle
      }
    }
    guard let fitting else { return nil }
    drawing.redraw?.result = fitting.image
    return fitting.edits
  }

  /// The edits of the frame and the tables of a picture that is turned coefficient by coefficient.
  private func frameEdits(_ bytes: [UInt8]) throws(Failure) -> [Edit] {
    let rewriter = FrameRewriter(picture.container, from: picture.frame, to: picture.turned)
    var edits = rewriter.headerEdits(bytes.span)
    if picture.turn.transposes {
      do throws(ContainerError) {
        edits += try rewriter.transpositionEdits(bytes.span)
      } catch {
        throw .failed(UprightError(error))
      }
    }
    return edits
  }

  /// The picture with the components redrawn whose edges are not aligned.
  private func redraw(_ bytes: [UInt8], _ quality: Redraw.Quality) throws(Failure) -> Drawing {
    let original = CoefficientImage(try picture.originalCoefficients(bytes))
    do throws(ContainerError) {
      let tables = try QuantizationTables.tables(
        of: picture.frame,
        in: picture.container,
        bytes.span
      )
      let redraw = picture.redraw(tables, quality)
      for (component, table) in tables.enumerated()
      where !redraw.keepsGrid[component] && original.isOutOfRange(component, table) {
        throw ContainerError(
          .malformed,
          at: picture.start,
          "the picture's data is damaged: it has blocks that no picture of eight bits gives"
        )
      }
      let frame = FrameRewriter.assigningSlots(picture.turned, redraw.resultTables)
      let rewriter = FrameRewriter(picture.container, from: picture.frame, to: frame)
      let edits =
        try rewriter.headerEdits(bytes.span)
        + rewriter.quantizationEdits(redraw.resultTables, bytes.span)
      let redrawn = redraw.redraw(original)
      return Drawing(
        image: SparseImage(redrawn),
        frameEdits: edits,
        redraw: (redraw, original, redrawn)
      )
    } catch {
      throw .failed(UprightError(error))
    }
  }

  private func coding<Value>(
    _ body: () throws(ScanScript.Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(ScanScript.Failure) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }
}

extension PictureTurn {
  /// The coefficients of the window, turned.
  func coefficients(_ bytes: [UInt8]) throws(PictureRewriter.Failure) -> SparseImage {
    try container.coefficients(bytes, frame, in: window, turn: turn)
  }

  /// The coefficients of the window, turned and coded.
  func coefficients(
    _ bytes: [UInt8],
    _ codes: [ComponentCodes]
  ) throws(PictureRewriter.Failure) -> CodedImage {
    try container.coefficients(bytes, frame, in: window, turn: turn, codes: codes)
  }

  /// The coefficients that a redraw is made of, unturned.
  func originalCoefficients(_ bytes: [UInt8]) throws(PictureRewriter.Failure) -> SparseImage {
    try container.coefficients(bytes, frame, in: source, turn: .none)
  }
}

extension Container {
  /// The coefficients of the picture, or of a window that is exact under `turn`, turned.
  func coefficients(
    _ bytes: [UInt8],
    _ frame: Frame,
    in window: PixelRectangle? = nil,
    turn: Turn
  ) throws(PictureRewriter.Failure) -> SparseImage {
    let placement = BlockPlacement(frame, in: window ?? frame.bounds, turn: turn)
    let script = try? ScanScript(self, frame: frame, bytes.span)
    if let image = script?.coefficients(bytes.span, placement, turn: turn) { return image }
    return try PictureRewriter.Failure.attributing { () throws(TransformError) in
      try CoefficientReader.read(decodableStream(bytes), frame: frame, in: window, turn: turn)
    }
  }

  /// The coefficients of the picture, or of a window that is exact under `turn`, turned and coded.
  func coefficients(
    _ bytes: [UInt8],
    _ frame: Frame,
    in window: PixelRectangle? = nil,
    turn: Turn,
    codes: [ComponentCodes]
  ) throws(PictureRewriter.Failure) -> CodedImage {
    let placement = BlockPlacement(frame, in: window ?? frame.bounds, turn: turn)
    let script = try? ScanScript(self, frame: frame, bytes.span)
    if let image = script?.coefficients(bytes.span, placement, turn: turn, codes: codes) {
      return image
    }
    return try PictureRewriter.Failure.attributing { () throws(TransformError) in
      try CoefficientReader.read(
        decodableStream(bytes),
        frame: frame,
        in: window,
        turn: turn,
        codes: codes
      )
    }
  }
}

extension PictureRewriter.Failure {
  /// What is wrong, in words.
  var text: String {
    switch self {
    case .refused(let reason): reason.explanation
    case .failed(let error): error.message
    }
  }

  init(_ failure: ScanScript.Failure) {
    self =
      switch failure {
      case .malformed(let error): .failed(UprightError(error))
      case .incompleteProgression: .refused(.incompleteProgression)
      case .noCode:
        .failed(
          UprightError(.damagedScan, "a coefficient occurs that the built-in tables cannot code")
        )
      }
  }

  /// Reads a picture, making what the reader throws a failure of the rewrite.
  fileprivate static func attributing<Value>(
    _ read: () throws(TransformError) -> Value
  ) throws(Self) -> Value {
    do throws(TransformError) { return try read() } catch { throw Self(error) }
  }

  init(_ error: TransformError) {
    self =
      switch error {
      case .damaged(let message):
        .failed(
          UprightError(.damagedScan, "the picture's data is damaged, the decoder says: \(message)")
        )
      case .outOfMemory:
        .failed(UprightError(.outOfMemory, "there is not enough memory for the picture"))
      }
  }
}

extension UprightError {
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
