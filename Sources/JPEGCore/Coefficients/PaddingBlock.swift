/// Coefficients of padding blocks, 64 in zigzag order each.
package typealias PaddingBlocks = [PaddingBlock: [Int16]]

/// The position of a padding block.
package struct PaddingBlock: Hashable, Sendable {
  package var component: Int
  package var column: Int
  package var row: Int

  package init(component: Int, column: Int, row: Int) {
    self.component = component
    self.column = column
    self.row = row
  }
}
