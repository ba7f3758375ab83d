internal import ImageOrientation

/// Maps the coefficients of a file to the blocks of ``BlockTransform``, in the orientation of the original.
///
/// ```text
///   in the file         block (column, row) of the transformed image, coefficients in zigzag order
///   in BlockTransform   block (column, row) of the original, coefficient at 8 · u + v
///                       (u: horizontal, v: vertical frequency)
/// ```
///
/// The transform moves the block, swaps u and v if it transposes, and changes the signs of odd frequencies of a
/// mirrored axis.
struct BlockLayout: Sendable {
  let quantizer: Quantizer
  private let plane: CoefficientImage.Plane
  private let transform: OrientationTransform
  private let size: (columns: Int, rows: Int)
  // An inline array would be copied to the stack for each element that is read.
  private let places: [UInt8]
  /// All ones at the coefficients whose signs change, otherwise zero.
  let signs: Block
  /// Whether ``signs`` changes any.
  let changesSigns: Bool

  init(
    plane: CoefficientImage.Plane,
    table: [UInt16],
    transform: OrientationTransform,
    rounding: Redraw.Rounding = .nearest
  ) {
    self.plane = plane
    self.transform = transform
    let size = transform.inverse.size(width: plane.columns, height: plane.rows)
    self.size = (size.width, size.height)
    var places = [UInt8](repeating: 0, count: 64)
    var signs = Block(repeating: .zero)
    let changes = CoefficientTransform.signChanges(transform.inverse)
    var steps = [UInt16](repeating: 1, count: 64)
    for zigzag in 0..<64 {
      let (row, column) = (Zigzag.natural[zigzag] / 8, Zigzag.natural[zigzag] % 8)
      let index = transform.transposes ? row * 8 + column : column * 8 + row
      places[zigzag] = UInt8(index)
      if changes >> UInt64(zigzag) & 1 == 1 { signs[index / 8][index % 8] = -1 }
      steps[index] = table[zigzag]
    }
    self.places = places
    self.signs = signs
    changesSigns = changes != 0
    quantizer = Quantizer(steps: steps, rounding: rounding)
  }

  var count: Int { plane.columns * plane.rows }

  var firstBlock: Int { plane.firstBlock }

  /// Returns the index in the file of a block of the original's grid.
  @inline(__always)
  func block(column: Int, row: Int) -> Int {
    let (x, y) = transform.destination(
      column: column,
      row: row,
      columns: size.columns,
      rows: size.rows
    )
    return plane.firstBlock &+ y &* plane.columns &+ x
  }

  /// Returns the index in a block of ``BlockTransform`` of a zigzag position.
  @inline(__always)
  func place(_ zigzag: Int) -> Int { Int(places[zigzag & 63]) }

  /// Returns the coefficients with the signs that they have on the other side of the transform.
  @inline(__always)
  func signed(_ block: Block) -> Block { makeBlock { (block[$0] ^ signs[$0]) &- signs[$0] } }
}
