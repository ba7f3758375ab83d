/// The samples of a component on one side of the redraw, from blocks as they are to blocks as they will be.
///
/// Samples are where the original has them. It is the grid of the re-encoded blocks that is shifted against them. The
/// blocks come row by row; the samples go where the grid of the other side begins: moved by a part of a sample where
/// a mirrored axis or a beginning within a sample asks for that, and with the edge repeated in the padding.
final class SampleBand {
  /// What becomes of the samples along one axis.
  struct Axis: Sendable {
    /// The first sample of the first block.
    var origin: Int
    /// Blocks along the axis.
    var blocks: Int
    /// Samples that belong to the image.
    var samples: Int
    /// Samples that are delayed; those beyond ``samples`` repeat the edge.
    var delayed: Int
    var delay: ComponentGeometry.Delay
    /// The samples that get the value of another one.
    var padding: Range<Int>
    /// The sample that is repeated in the padding.
    var edge: Int
  }

  /// The samples of the blocks.
  let blocks: SampleWindow
  /// The same, prepared for the blocks of the other side.
  let prepared: SampleWindow
  /// The line that the blocks are complete up to.
  private(set) var end: Int
  private var preparedEnd: Int

  private let x: Axis
  private let y: Axis
  private let direction: SampleWindow.Direction

  /// - Parameters:
  ///   - x: The horizontal axis.
  ///   - y: The vertical axis.
  ///   - direction: Which way delays go.
  ///   - width: Samples per line, whole blocks.
  ///   - lines: How many lines are kept, where not all must be.
  ///   - keepsBlocks: Whether ``blocks`` must not change.
  init(
    x: Axis,
    y: Axis,
    _ direction: SampleWindow.Direction,
    width: Int,
    lines: Int,
    keepsBlocks: Bool
  ) {
    (self.x, self.y, self.direction) = (x, y, direction)
    // A delay along the columns is recursive: it needs them whole.
    let height = max(y.origin + 8 * y.blocks, y.delayed) + 16
    let lines = y.delay.isZero ? lines : height
    blocks = SampleWindow(width: width, lines: lines)
    let isMoved = !x.delay.isZero || !y.delay.isZero
    prepared =
      isMoved || keepsBlocks ? SampleWindow(width: width, lines: lines) : blocks
    (end, preparedEnd) = (y.origin, y.origin)
  }

  /// Takes a block.
  @inline(__always)
  func store(_ samples: Block, column: Int, row: Int) {
    blocks.store(samples, x: x.origin &+ 8 &* column, y: y.origin &+ 8 &* row)
  }

  /// Ends a row of blocks.
  func endRow(_ row: Int) {
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
    // The delay along the columns may have made one line more.
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

  /// Whether lines can be read from ``prepared``; their padding is filled then.
  func isReady(_ lines: Range<Int>) -> Bool {
    let padding = lines.clamped(to: y.padding)
    let needed = padding.upperBound == lines.upperBound ? padding.lowerBound : lines.upperBound
    guard needed <= preparedEnd || preparedEnd == y.origin + 8 * y.blocks else { return false }
    prepared.fillLines(padding, from: y.edge)
    return true
  }
}
