internal import FileBytes

/// The zigzag order of the 64 coefficients of a block (T.81, figure A.6).
package enum Zigzag {
  /// For each zigzag position the position in the block, row × 8 + column.
  package static let natural: [Int] = {
    (0..<64).ordered { place in
      let (row, column) = (place / 8, place % 8)
      // Odd diagonals run down to the left, even ones up to the right.
      return (row + column) * 8 + ((row + column) % 2 == 1 ? row : column)
    }
  }()

  /// For each position in the block, row × 8 + column, the zigzag position.
  package static let position: [Int] = {
    var result = [Int](repeating: 0, count: 64)
    for (zigzag, place) in natural.enumerated() { result[place] = zigzag }
    return result
  }()

  /// For each zigzag position that of the same coefficient in the transposed block.
  package static let transposed: [Int] = natural.map { position[$0 % 8 * 8 + $0 / 8] }
}
