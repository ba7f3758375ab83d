/// Restores one component of the original from the re-encoded one, row of blocks by row.
final class ComponentRestoration<Form: BlockForm> {
  private let component: ComponentRedraw
  let store: ComponentStore<Form>
  private let band: SampleBand
  private var coder: ExceptionCoder<RangeDecoder>
  private let reencodedRow: BlockRow
  private let restoredRow: BlockRow
  /// The number of rows of the re-encoded image that were read, and of rows of the original that were restored.
  private var read = 0
  private var restored = 0

  init(_ component: ComponentRedraw, into store: ComponentStore<Form>, _ code: [UInt8]) {
    self.component = component
    self.store = store
    band = SampleBand(component.geometry, .backward, lines: 32, keepsBlocks: false)
    coder = ExceptionCoder(RangeDecoder(code))
    reencodedRow = BlockRow(count: component.geometry.x.resultBlocks)
    restoredRow = BlockRow(count: component.geometry.x.blocks)
  }

  var count: Int { coder.count }

  /// Continues to row `end` of the re-encoded image.
  func advance(_ image: borrowing SparseImage, to end: Int) {
    let geometry = component.geometry
    var isOutOfRange = false
    for row in read..<max(read, min(end, geometry.y.resultBlocks)) {
      reencodedRow.load(image, component.result, row: row)
      if geometry.isBlockAligned {
        store.put(reencodedRow, row: row)
        continue
      }
      band.decode(reencodedRow, component.result.quantizer, row: row, &isOutOfRange)
      while restored < geometry.y.blocks, band.isReady(8 * restored..<8 * restored + 8) {
        component.codeRow(restored, band, restoredRow, &coder)
        store.put(restoredRow, row: restored)
        restored += 1
      }
    }
    read = max(read, min(end, geometry.y.resultBlocks))
  }
}
