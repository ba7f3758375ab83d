/// Restores one component of the original from the re-encoded one, row by row.
final class ComponentRestoration {
  private let component: ComponentRedraw
  private(set) var store: SparseStore
  private let band: SampleBand
  private var coder: ExceptionCoder<RangeDecoder>
  private let reencodedRow: BlockRow
  private let restoredRow: BlockRow
  /// The rows of the re-encoded image that have been read, and those of the original that have been restored.
  private var read = 0
  private var restored = 0

  /// - Parameters:
  ///   - component: The component.
  ///   - code: The exceptions' code.
  init(_ component: ComponentRedraw, _ code: [UInt8]) {
    self.component = component
    store = SparseStore(count: component.original.count)
    band = component.reencodedBand(lines: 32)
    coder = ExceptionCoder(RangeDecoder(code))
    reencodedRow = BlockRow(count: component.geometry.x.resultBlocks)
    restoredRow = BlockRow(count: component.geometry.x.blocks)
  }

  /// The number of exceptions so far.
  var count: Int { coder.count }

  /// Goes on, up to a row of blocks of the re-encoded image.
  func advance(_ image: borrowing SparseImage, to end: Int) {
    let geometry = component.geometry
    for row in read..<max(read, min(end, geometry.y.resultBlocks)) {
      reencodedRow.load(image, component.result, row: row)
      if geometry.isBlockAligned {
        store.put(reencodedRow, component.original, row: row)
        continue
      }
      decode(row)
      while restored < geometry.y.blocks, band.isReady(8 * restored..<8 * restored + 8) {
        component.codeRow(restored, band, restoredRow, &coder)
        store.put(restoredRow, component.original, row: restored)
        restored += 1
      }
    }
    read = max(read, min(end, geometry.y.resultBlocks))
  }

  /// Decodes the row that was read into samples.
  private func decode(_ row: Int) {
    let quantizer = component.result.quantizer
    var isOutOfRange = false
    for column in 0..<reencodedRow.count {
      let values = quantizer.dequantized(reencodedRow[column], &isOutOfRange)
      band.store(BlockTransform.samples(values), column: column, row: row)
    }
    band.endRow(row)
  }
}
