internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

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
        turn: .none
      )
    else { return nil }
    return unruly(CoefficientImage(image), enlarged)
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
