/// What the standard leaves to the encoder, or what encoders do against it, as far as it is met.
package struct CodingConventions: Hashable, Sendable {
  /// Whether the last byte of entropy-coded data is filled up with ones, as the standard wants.
  package var padsWithOnes = true
  /// The blocks beyond the picture's edge that do not repeat the DC value before them.
  package var padding: PaddingBlocks = [:]

  package init() {}
}

/// Coefficients of padding blocks, 64 in zigzag order each.
package typealias PaddingBlocks = [PaddingBlock: [Int16]]

/// The place of a block beyond a component's edge.
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
