/// Re-encodes one component from its first row of blocks to its last.
///
/// A row is decoded into samples, divided into blocks again and quantized; what decoders will make of these blocks is
/// compared with the original at once, so that only a few lines of samples are in memory.
final class ComponentSweep {
  /// What is requested beside the re-encoded blocks.
  struct Task: Sendable {
    /// Whether the exceptions are coded.
    var recordsExceptions: Bool
    /// How many lines of samples are kept for the distortion; nil where that is not asked for.
    var measuredLines: Int?
  }

  let component: ComponentRedraw
  /// Whether a block of the original is longer than any of an image of eight bits.
  private(set) var isOutOfRange = false
  private(set) var store: SparseStore
  /// The original's samples.
  let original: SampleBand
  /// The re-encoded samples; nil where nobody asks for them or they are the original's.
  let reencoded: SampleBand?
  private var coder = ExceptionCoder(RangeEncoder())
  private let recordsExceptions: Bool
  /// The rows of the original that have been decoded, of the result that have been made, and of the original that
  /// have been compared.
  private var decoded = 0
  private var made = 0
  private var compared = 0
  private let task: Task
  private let originalRow: BlockRow
  private let resultRow: BlockRow

  /// - Parameters:
  ///   - component: The component.
  ///   - task: The requested results.
  init(_ component: ComponentRedraw, _ task: Task) {
    let geometry = component.geometry
    self.component = component
    self.task = task
    store = SparseStore(count: component.result.count)
    originalRow = BlockRow(count: geometry.x.blocks)
    resultRow = BlockRow(count: geometry.x.resultBlocks)
    let lines = task.measuredLines ?? 32
    original = component.originalBand(
      lines: lines,
      keepsBlocks: task.measuredLines != nil && !geometry.isWhole
    )
    let isRead = task.recordsExceptions || task.measuredLines != nil
    reencoded = isRead && !geometry.isBlockAligned ? component.reencodedBand(lines: lines) : nil
    recordsExceptions = task.recordsExceptions && !geometry.isBlockAligned
  }

  /// The lines that both images have been decoded up to; nil when both are complete.
  var displayed: Int? {
    let geometry = component.geometry
    guard decoded < geometry.y.blocks || made < geometry.y.resultBlocks else { return nil }
    return min(original.end, reencoded?.end ?? .max)
  }

  /// The code of the exceptions and their number.
  func exceptions() -> (count: Int, code: [UInt8]) {
    recordsExceptions ? (coder.count, coder.coder.finish()) : (0, [])
  }

  /// Goes on, up to a row of blocks of the original.
  func advance(_ image: borrowing SparseImage, to end: Int) {
    let geometry = component.geometry
    let isMoved = geometry.isBlockAligned
    for row in decoded..<max(decoded, min(end, geometry.y.blocks)) {
      if !isMoved || task.measuredLines != nil { decode(image, row) }
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
  }

  /// Decodes a row of the original.
  private func decode(_ image: borrowing SparseImage, _ row: Int) {
    let layout = component.original
    originalRow.load(image, layout, row: row)
    for column in 0..<originalRow.count {
      let values = layout.quantizer.dequantized(originalRow[column], &isOutOfRange)
      original.store(BlockTransform.samples(values), column: column, row: row)
    }
    original.endRow(row)
  }

  /// Makes the next row of the result.
  private func make() {
    let layout = component.result
    let (x, y) = (component.geometry.x.origin, component.geometry.y.origin &+ 8 &* made)
    for column in 0..<resultRow.count {
      let samples = original.prepared.block(x: x &+ 8 &* column, y: y)
      let quotients = layout.quantizer.quantized(BlockTransform.coefficients(samples))
      resultRow[column] = quotients
    }
    if let position = component.thinnedFrom { resultRow.thin(from: position, layout) }
    store.put(resultRow, layout, row: made)
    if let reencoded {
      var isOutOfRange = false
      for column in 0..<resultRow.count {
        let values = layout.quantizer.dequantized(resultRow[column], &isOutOfRange)
        reencoded.store(BlockTransform.samples(values), column: column, row: made)
      }
      reencoded.endRow(made)
    }
    made += 1
  }

  /// Codes the exceptions of the next row of the original.
  private func compare(_ image: borrowing SparseImage) {
    guard let reencoded else { return }
    originalRow.load(image, component.original, row: compared)
    component.codeRow(compared, reencoded, originalRow, &coder)
    compared += 1
  }

  /// Moves the next row of a component that is block-aligned, if it belongs to the result.
  private func move(_ image: borrowing SparseImage) {
    let (x, y) = (component.geometry.x, component.geometry.y)
    let row = decoded - 1 - y.origin / 8
    guard (0..<y.resultBlocks).contains(row) else { return }
    resultRow.load(image, component.original, column: x.origin / 8, row: decoded - 1)
    store.put(resultRow, component.result, row: row)
    made = row + 1
  }
}
