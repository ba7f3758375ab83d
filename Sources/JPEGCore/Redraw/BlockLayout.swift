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
  private let positions: [UInt8]
  /// The coefficients whose signs change, one bit for each zigzag position.
  private let negative: UInt64

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
    var positions = [UInt8](repeating: 0, count: 64)
    var steps = [UInt16](repeating: 1, count: 64)
    for zigzag in 0..<64 {
      let (row, column) = (Zigzag.natural[zigzag] / 8, Zigzag.natural[zigzag] % 8)
      let index = transform.transposes ? row * 8 + column : column * 8 + row
      places[zigzag] = UInt8(index)
      positions[index] = UInt8(zigzag)
      steps[index] = table[zigzag]
    }
    self.places = places
    self.positions = positions
    negative = CoefficientTransform.signChanges(transform.inverse)
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

  /// Returns the zigzag position of an index in a block of ``BlockTransform``.
  @inline(__always)
  func position(_ index: Int) -> Int { Int(positions[index & 63]) }

  /// Returns a coefficient with the sign that it has on the other side of the transform.
  @inline(__always)
  func signed(_ value: Int16, _ zigzag: Int) -> Int16 {
    let sign = 0 &- Int16(truncatingIfNeeded: negative &>> UInt64(zigzag) & 1)
    return (value ^ sign) &- sign
  }
}
