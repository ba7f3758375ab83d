internal import ImageOrientation

/// Transforms single blocks: which coefficient goes where, and which changes its sign.
///
/// Transposing exchanges the frequencies of the axes; mirroring an axis changes the sign of its odd ones.
@safe
struct CoefficientTransform: ~Copyable {
  /// What it takes to transform one coefficient after the other, together, so that one address leads to all of it.
  private struct Memory {
    /// The block that was transformed last: see ``TurnedBlock/values``; at the beginning of the memory.
    var values = [66 of Int16](repeating: 0)
    /// For each zigzag position of the source that of the transformed block; 0 for those beyond the source.
    var targets = [192 of UInt8](repeating: 0)
    /// For each zigzag position of the source all ones where the sign changes.
    var signs = [192 of Int16](repeating: 0)
  }

  private let memory: UnsafeMutablePointer<Memory>
  private let values: UnsafeMutablePointer<Int16>

  init(_ transform: OrientationTransform) {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: Memory())
    unsafe values = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Int16.self)
    unsafe values[64] = Int16(TransformedBlock.eob)
    unsafe values[65] = Int16(TransformedBlock.none)
    for column in 0..<8 {
      for row in 0..<8 {
        let target = transform.transposes ? (row: column, column: row) : (row: row, column: column)
        let changesSign =
          (transform.mirrorsX && target.column % 2 == 1)
          != (transform.mirrorsY && target.row % 2 == 1)
        let sign: Int16 = changesSign ? -1 : 0
        let place = row * 8 + column
        let zigzag = Zigzag.position[target.row * 8 + target.column]
        unsafe memory.pointee.targets[Zigzag.position[place]] = UInt8(zigzag)
        unsafe memory.pointee.signs[Zigzag.position[place]] = sign
      }
    }
  }

  deinit { unsafe memory.deallocate() }

  /// Transforms one AC coefficient of the block that is being read.
  ///
  /// - Parameters:
  ///   - value: The coefficient, as additional bits (T.81, F.1.2.1).
  ///   - zigzag: Its zigzag position, 1 to 63; with one of 64 to 191 it is forgotten.
  ///   - block: What is known of the block so far.
  @inline(__always)
  mutating func take(_ value: Int16, at zigzag: Int, into block: inout TransformedBlock.Shape) {
    let target = unsafe Int(memory.pointee.targets[unchecked: zigzag])
    unsafe memory.pointee.values[unchecked: target] =
      value ^ memory.pointee.signs[unchecked: zigzag]
    block.add(at: target)
  }

  /// The block that was read.
  ///
  /// - Parameters:
  ///   - dc: Its DC coefficient.
  ///   - shape: What is known of its AC coefficients.
  /// - Returns: The transformed block, until the next one is transformed.
  @inline(__always)
  mutating func transformed(dc: Int16, _ shape: TransformedBlock.Shape) -> TransformedBlock {
    unsafe TransformedBlock(dc: dc, shape, values: values)
  }
}
