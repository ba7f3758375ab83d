internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

/// Makes the undo record of a rewrite and proves it, by restoring the original from the result.
struct UndoBuilder {
  let original: [UInt8]
  let result: [UInt8]
  let edits: [Edit]
  /// The pictures whose scans were coded anew, those in the segments of others first.
  let pictures: [TurnedPicture]

  /// The record; nil when it does not give the original back, so that nothing may be promised.
  ///
  /// - Throws: ``PictureRewriter/Failure`` when the result cannot even be read.
  func record() throws(PictureRewriter.Failure) -> UndoRecord? {
    let delta = Delta(edits, original)
    guard var file = delta.skeleton(of: result) else { return nil }
    var empty = edits.filter { $0.content == .entropyCodedData }.map(\.range)
    var undos: [PictureUndo] = []
    for picture in pictures {
      if case .trim = picture.picture.edging { return nil }
      let start = picture.picture.start
      let missing = empty.filter { $0.upperBound <= start }.reduce(0) { $0 + $1.count }
      var undo = PictureUndo(
        resultStart: edits.position(of: start),
        skeletonStart: start - missing,
        turn: picture.picture.turn
      )
      if case .redraw(let quality) = picture.picture.edging, let exceptions = picture.exceptions {
        undo.redraw = PictureUndo.RedrawUndo(quality: quality, exceptions: exceptions)
      }
      let image = try undo.coefficients(result, file)
      guard let data = try recode(&undo, image, picture, file) else { return nil }
      file = data.applied(to: file)
      let filled = Set(picture.picture.container.scans.map(\.data))
      empty.removeAll { filled.contains($0) }
      undos.append(undo)
    }
    // The last word: everything, byte for byte.
    guard file == original, undos.count <= UndoRecord.mostPictures else { return nil }
    let record = UndoRecord(delta: delta, pictures: undos, resultSize: result.count)
    guard record.serialized.count <= UndoRecord.mostBytes(forResultOf: result.count),
      (try? UndoRecord(serialized: record.serialized)) == record
    else { return nil }
    return record
  }

  /// Finds out how the original's encoder coded, and gives its scans.
  private func recode(
    _ undo: inout PictureUndo,
    _ image: borrowing CoefficientImage,
    _ picture: TurnedPicture,
    _ skeleton: [UInt8]
  ) throws(PictureRewriter.Failure) -> [Edit]? {
    let scans = picture.picture.container.scans
    guard var edits = try? undo.recoding(image, skeleton), edits.count == scans.count
    else { return nil }
    if !matches(edits, scans) {
      undo.conventions.padding = PaddingReader(picture: picture.picture).blocks(original) ?? [:]
      edits = try undo.recoding(image, skeleton)
    }
    if !matches(edits, scans) {
      undo.conventions.padsWithOnes = false
      let others = try undo.recoding(image, skeleton)
      if matches(others, scans) {
        edits = others
      } else {
        undo.conventions.padsWithOnes = true
      }
    }
    for (number, scan) in scans.enumerated()
    where edits[number].replacement[...] != original[scan.data] {
      guard
        let patch = PictureUndo.Patch(from: edits[number].replacement, to: original[scan.data]),
        let mended = patch.applied(to: edits[number].replacement)
      else { return nil }
      undo.patches[number] = patch
      edits[number].replacement = mended
    }
    return edits
  }

  private func matches(_ edits: [Edit], _ scans: [Container.Scan]) -> Bool {
    zip(edits, scans).allSatisfy { $0.replacement[...] == original[$1.data] }
  }
}

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
    _ edits: [Edit]
  ) throws(PictureRewriter.Failure) {
    let copy = PictureUndo(
      resultStart: edits.position(of: picture.start),
      skeletonStart: 0,
      turn: .none
    )
    let found = try copy.resultCoefficients(result)
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
      expected = Redraw(
        frame: picture.frame,
        tables: tables,
        turn: picture.turn,
        quality: quality
      ).redraw(try picture.coefficients(original, turn: .none))
    } else {
      expected = try picture.coefficients(original, turn: picture.turn)
    }
    guard found.planes == expected.planes, found.coefficients == expected.coefficients else {
      throw .failed(UprightError(.verification, "a coefficient is not the one that was written"))
    }
  }
}

/// Finds the blocks beyond a picture's edges that do not repeat the DC value before them.
///
/// Decoders throw those blocks away. But a stream whose frame header is enlarged to whole MCUs has the same
/// entropy-coded data, and no padding.
struct PaddingReader {
  let picture: PictureTurn

  /// The blocks; nil where the scans are not of the kind that has padding.
  func blocks(_ bytes: [UInt8]) -> PaddingBlocks? {
    let frame = picture.frame
    guard !frame.process.isProgressive, frame.components.count > 1,
      picture.container.scans.count == 1
    else { return nil }
    var enlarged = frame
    enlarged.width =
      frame.width.dividedUp(by: frame.interleavedMCU.width) * frame.interleavedMCU.width
    enlarged.height =
      frame.height.dividedUp(by: frame.interleavedMCU.height) * frame.interleavedMCU.height
    guard enlarged.width <= 65_500, enlarged.height <= 65_500, enlarged != frame else { return nil }
    let edits = FrameRewriter(picture.container, from: frame, to: enlarged).headerEdits(bytes.span)
    guard let container = try? Container(edits.applied(to: bytes).span, at: start),
      let image = try? CoefficientReader.read(
        container.decodableStream(edits.applied(to: bytes)),
        frame: enlarged,
        keeping: enlarged,
        turn: .none
      )
    else { return nil }
    return unruly(image, enlarged)
  }

  private var start: Int { picture.start }

  private func unruly(_ image: borrowing CoefficientImage, _ enlarged: Frame) -> PaddingBlocks {
    var result: PaddingBlocks = [:]
    for (index, component) in picture.frame.components.enumerated() {
      let real = picture.frame.blocks(of: index)
      let plane = image.planes[index]
      for row in 0..<plane.rows {
        for column in 0..<plane.columns where column >= real.columns || row >= real.rows {
          // The block before it in the MCU; a row's first one follows the last of the row above.
          let isFirst = column % component.horizontal == 0
          let before =
            isFirst ? (column + component.horizontal - 1, row - 1) : (column - 1, row)
          let block = plane.firstBlock + row * plane.columns + column
          let other = plane.firstBlock + before.1 * plane.columns + before.0
          if image.masks[block] & ~1 != 0
            || image.coefficients[block * 64] != image.coefficients[other * 64]
          {
            result[PaddingBlock(component: index, column: column, row: row)] =
              Array(image.coefficients[block * 64..<block * 64 + 64])
          }
        }
      }
    }
    return result
  }
}
