/// The samples of a component on one side of the redraw, between the blocks of one grid and the blocks of the other.
///
/// Sample positions are those of the original; the grid of the re-encoded blocks is shifted against them (see
/// ``ComponentGeometry``).
///
/// ```text
///   store(block) ──► blocks ──► delay, padding ──► prepared ──► block(x, y) of the other grid
///                    rows of blocks,               the same lines, delayed by a fraction
///                    as they are decoded           of a sample if necessary, edges repeated
/// ```
///
/// Without a vertical delay only the last lines are kept (``SampleWindow``). The delay is needed if an axis is
/// mirrored, or begins, within a chroma sample.
final class SampleBand {
  /// How samples are prepared along one axis.
  private struct Axis {
    let origin: Int
    let blocks: Int
    let samples: Int
    /// The number of samples that are delayed; those beyond ``samples`` repeat the edge.
    let delayed: Int
    let delay: ComponentGeometry.Delay
    /// The samples that are filled from the edge.
    let padding: Range<Int>
    /// The sample that is repeated in the padding.
    let edge: Int

    init(_ axis: ComponentGeometry.Axis, _ direction: FractionalDelay.Direction) {
      (samples, delay) = (axis.samples, axis.delay)
      switch direction {
      case .forward:
        (origin, blocks) = (0, axis.blocks)
        delayed = max(samples, axis.shown.upperBound)
        edge = axis.isMirrored ? axis.shown.lowerBound : axis.shown.upperBound - 1
        padding = axis.padding ?? edge..<edge
      case .backward:
        (origin, blocks) = (axis.origin, axis.resultBlocks)
        delayed = samples
        edge = samples - 1
        padding = samples..<(axis.isMirrored ? axis.extent : samples)
      }
    }
  }

  let blocks: SampleWindow
  /// The samples, prepared for the blocks of the other grid.
  private(set) var prepared: SampleWindow
  /// The number of lines up to which the blocks are complete.
  private(set) var end: Int
  private var preparedEnd: Int

  private let x: Axis
  private let y: Axis
  private let direction: FractionalDelay.Direction

  /// Creates a band for the original's samples, from which re-encoded blocks are made; or, backward, for the re-encoded
  /// samples of the whole original, from which its blocks are estimated.
  ///
  /// `lines` is the number of lines to keep, if not all are necessary; `keepsBlocks` is whether ``blocks`` must not
  /// change; and `other` is the band in the other direction, if its samples are not used any more when all blocks of this
  /// one are decoded.
  init(
    _ geometry: ComponentGeometry,
    _ direction: FractionalDelay.Direction,
    lines: Int,
    keepsBlocks: Bool,
    replacing other: SampleBand? = nil
  ) {
    (x, y) = (Axis(geometry.x, direction), Axis(geometry.y, direction))
    self.direction = direction
    // The filter is recursive: a delay along a column requires the whole column.
    let (width, keepsAll) = (geometry.x.extent, !y.delay.isZero)
    func window() -> SampleWindow {
      SampleWindow(
        width: width,
        lines: keepsAll ? geometry.y.extent + 16 : lines,
        keepsAll: keepsAll
      )
    }
    blocks = window()
    prepared = !keepsBlocks ? blocks : keepsAll ? other?.prepared ?? window() : window()
    (end, preparedEnd) = (y.origin, y.origin)
  }

  /// Releases the prepared samples, which are not used any more.
  func release() { prepared = blocks }

  func decode(
    _ coefficients: BlockRow,
    _ quantizer: borrowing Quantizer,
    row: Int,
    _ isOutOfRange: inout Bool
  ) {
    let (first, lines) = (x.origin, blocks.lines(from: y.origin &+ 8 &* row))
    for column in 0..<coefficients.count {
      lines[first &+ 8 &* column] = BlockTransform.samples(
        quantizer.dequantized(coefficients[column], &isOutOfRange)
      )
    }
    end = y.origin + 8 * (row + 1)
    if y.delay.isZero {
      prepare(end - 8..<end)
    } else if row == y.blocks - 1 {
      prepare(y.origin..<end)
    }
  }

  private func prepare(_ lines: Range<Int>) {
    if prepared !== blocks { prepared.copy(lines, of: blocks) }
    if direction == .forward { delayColumns(lines) }
    if !y.delay.isZero {
      prepared.fillLines(y.samples..<max(y.delayed, y.samples), from: y.samples - 1)
      prepared.delayLines(by: y.delay, count: y.delayed, direction)
    }
    if direction == .backward { delayColumns(lines) }
    // The delay along the columns may have produced one more line.
    let all = lines.lowerBound..<max(lines.upperBound, y.delay.isZero ? 0 : y.delayed)
    prepared.fillColumns(x.padding, from: x.edge, lines: all)
    preparedEnd = lines.upperBound
  }

  private func delayColumns(_ lines: Range<Int>) {
    guard !x.delay.isZero else { return }
    prepared.fillColumns(
      x.samples..<max(x.delayed, x.samples),
      from: x.samples - 1,
      lines: lines
    )
    prepared.delayColumns(by: x.delay, count: x.delayed, lines: lines, direction)
  }

  /// Returns whether lines can be read from ``prepared``, and fills their padding.
  func isReady(_ lines: Range<Int>) -> Bool {
    let padding = lines.clamped(to: y.padding)
    let needed = padding.upperBound == lines.upperBound ? padding.lowerBound : lines.upperBound
    guard needed <= preparedEnd || preparedEnd == y.origin + 8 * y.blocks else { return false }
    prepared.fillLines(padding, from: y.edge)
    return true
  }
}
