/// Restores one component of the original from the redrawn one, row by row.
struct ComponentRestoration {
  private let component: ComponentRedraw
  private(set) var store: SparseStore

  init(_ component: ComponentRedraw) {
    self.component = component
    store = SparseStore(count: component.original.count)
  }

  /// Restores all rows.
  ///
  /// - Parameters:
  ///   - image: The redrawn image.
  ///   - code: The exceptions' code.
  /// - Returns: The number of exceptions.
  mutating func restore(_ image: borrowing SparseImage, _ code: [UInt8]) -> Int {
    let geometry = component.geometry
    let row = BlockRow(count: geometry.x.resultBlocks)
    if geometry.isBlockAligned {
      for number in 0..<geometry.y.resultBlocks {
        if WorkLimit.reached != nil { break }
        row.load(image, component.result, row: number)
        store.put(row, component.original, row: number)
      }
      return 0
    }
    let restored = BlockRow(count: geometry.x.blocks)
    let band = component.redrawnBand(lines: 32)
    let quantizer = component.result.quantizer
    var coder = ExceptionCoder(RangeDecoder(code))
    var next = 0
    for number in 0..<geometry.y.resultBlocks {
      if WorkLimit.reached != nil { break }
      row.load(image, component.result, row: number)
      var isOutOfRange = false
      for column in 0..<row.count {
        let values = quantizer.dequantized(row[column], &isOutOfRange)
        band.store(BlockTransform.samples(values), column: column, row: number)
      }
      band.endRow(number)
      while next < geometry.y.blocks, band.isReady(8 * next..<8 * next + 8) {
        component.codeRow(next, band, restored, &coder)
        store.put(restored, component.original, row: next)
        next += 1
      }
    }
    return coder.count
  }
}
