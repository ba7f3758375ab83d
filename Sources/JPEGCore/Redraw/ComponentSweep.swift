/// Re-encodes one component in one pass over its rows of blocks.
///
/// A row is decoded into samples, divided into blocks on the new grid, and quantized. The result is decoded again and
/// compared with the original at once, so only a few lines of samples are in memory.
final class ComponentSweep<Form: BlockForm> {
  let component: ComponentRedraw
  /// Whether a block of the original has a norm that no eight-bit image has.
  private(set) var isOutOfRange = false
  let store: ComponentStore<Form>
  let original: SampleBand
  /// The re-encoded samples; nil if they are not requested or are the original's.
  let reencoded: SampleBand?
  private var coder = ExceptionCoder(RangeEncoder())
  private let recordsExceptions: Bool
  /// The number of rows of the original that were decoded, of the result that were made, and of the original that were
  /// compared.
  private var decoded = 0
  private var made = 0
  private var compared = 0
  private let isMeasured: Bool
  /// The latest two rows of the original, each with its number: a row is compared after the next one was decoded.
  private var originalRows: [(number: Int, blocks: BlockRow)]
  private let resultRow: BlockRow

  /// `measuredLines` is the number of lines of samples to keep for the measurement; nil if it is not requested.
  init(
    _ component: ComponentRedraw,
    into store: ComponentStore<Form>,
    recordsExceptions: Bool,
    measuredLines: Int?
  ) {
    let geometry = component.geometry
    self.component = component
    self.recordsExceptions = recordsExceptions && !geometry.isBlockAligned
    isMeasured = measuredLines != nil
    self.store = store
    originalRows = (0..<2).map { _ in (-1, BlockRow(count: geometry.x.blocks)) }
    resultRow = BlockRow(count: geometry.x.resultBlocks)
    let lines = measuredLines ?? 32
    original = SampleBand(
      geometry,
      .forward,
      lines: lines,
      keepsBlocks: isMeasured && (geometry.isDelayed || !geometry.isWhole)
    )
    let isRead = recordsExceptions || isMeasured
    // All blocks of the result are made before the first of them is compared.
    reencoded =
      isRead && !geometry.isBlockAligned
      ? SampleBand(
        geometry,
        .backward,
        lines: lines,
        keepsBlocks: isMeasured && geometry.isDelayed,
        replacing: original
      ) : nil
  }

  /// The number of lines up to which both images are decoded; nil if both are complete.
  var displayed: Int? {
    let geometry = component.geometry
    guard decoded < geometry.y.blocks || made < geometry.y.resultBlocks else { return nil }
    return min(original.end, reencoded?.end ?? .max)
  }

  func exceptions() -> (count: Int, code: [UInt8]) {
    recordsExceptions ? (coder.count, coder.coder.finish()) : (0, [])
  }

  /// Continues to row `end` of the original.
  func advance(_ image: borrowing SparseImage, to end: Int) {
    let geometry = component.geometry
    let isMoved = geometry.isBlockAligned
    for row in decoded..<max(decoded, min(end, geometry.y.blocks)) {
      if !isMoved || isMeasured {
        let blocks = originalRow(row, of: image)
        original.decode(blocks, component.original.quantizer, row: row, &isOutOfRange)
      }
      decoded = row + 1
      if isMoved {
        move(image)
        continue
      }
      while made < geometry.y.resultBlocks,
        original.isReady(geometry.y.lines(ofResultBlock: made))
      {
        make()
        while recordsExceptions, compared < geometry.y.blocks,
          reencoded?.isReady(8 * compared..<8 * compared + 8) == true
        {
          compare(image)
        }
      }
    }
    guard decoded == geometry.y.blocks, made == geometry.y.resultBlocks,
      !recordsExceptions || compared == geometry.y.blocks
    else { return }
    original.release()
    reencoded?.release()
  }

  /// Returns a row of blocks of the original.
  private func originalRow(_ row: Int, of image: borrowing SparseImage) -> BlockRow {
    let blocks = originalRows[row & 1].blocks
    if originalRows[row & 1].number != row {
      blocks.load(image, component.original, row: row)
      originalRows[row & 1].number = row
    }
    return blocks
  }

  private func make() {
    let layout = component.result
    let first = component.geometry.x.origin
    let lines = original.prepared.lines(from: component.geometry.y.origin &+ 8 &* made)
    for column in 0..<resultRow.count {
      let values = BlockTransform.coefficients(lines[first &+ 8 &* column])
      resultRow[column] = layout.quantizer.quantized(values)
    }
    if let position = component.thinnedFrom { resultRow.thin(from: position, layout) }
    store.put(resultRow, row: made)
    var isOutOfRange = false
    reencoded?.decode(resultRow, layout.quantizer, row: made, &isOutOfRange)
    made += 1
  }

  private func compare(_ image: borrowing SparseImage) {
    guard let reencoded else { return }
    component.codeRow(compared, reencoded, originalRow(compared, of: image), &coder)
    compared += 1
  }

  /// Moves the next row of a block-aligned component, if it belongs to the result.
  private func move(_ image: borrowing SparseImage) {
    let (x, y) = (component.geometry.x, component.geometry.y)
    let row = decoded - 1 - y.origin / 8
    guard (0..<y.resultBlocks).contains(row) else { return }
    resultRow.load(image, component.original, column: x.origin / 8, row: decoded - 1)
    store.put(resultRow, row: row)
    made = row + 1
  }
}
