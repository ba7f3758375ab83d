internal import ImageOrientation
internal import JPEGCore

/// Turns single blocks: which coefficient goes where, and which changes its sign.
///
/// Transposing exchanges the frequencies of the axes; mirroring an axis changes the sign of its odd ones.
@safe
struct BlockTurn: ~Copyable {
  /// The most bytes that the values of a block take.
  static let mostBytes = 128
  /// Eight-bit pictures have coefficients of at most 11 bits; this leaves room for odd encoders and is
  /// still within what a Huffman code can say.
  static let tooLarge = 1 << 14

  /// For each zigzag position of the turned block the place in the source, row × 8 + column, plus 64 where
  /// the sign changes.
  private let places: UnsafeMutablePointer<UInt8>
  /// For each column of the source and each set of its rows the zigzag positions of the turned block.
  private let positions: UnsafeMutablePointer<UInt64>

  init(_ turn: Turn) {
    unsafe places = .allocate(capacity: 64)
    unsafe positions = .allocate(capacity: 8 * 256)
    for column in 0..<8 {
      unsafe positions[column * 256] = 0
      for row in 0..<8 {
        let target = turn.transposes ? (row: column, column: row) : (row: row, column: column)
        let changesSign =
          (turn.mirrorsX && target.column % 2 == 1) != (turn.mirrorsY && target.row % 2 == 1)
        let zigzag = Zigzag.position[target.row * 8 + target.column]
        unsafe places[zigzag] = UInt8(row * 8 + column + (changesSign ? 64 : 0))
        for others in 0..<1 << row {
          let set = column * 256 + others
          unsafe positions[set + 1 << row] = positions[set] | 1 << UInt64(zigzag)
        }
      }
    }
  }

  deinit {
    unsafe places.deallocate()
    unsafe positions.deallocate()
  }

  /// Finds the coefficients of the turned block that are not zero.
  ///
  /// - Parameter block: 64 coefficients, row by row.
  /// - Returns: One bit for each zigzag position.
  @inline(__always)
  func mask(_ block: UnsafePointer<Int16>) -> UInt64 {
    // One lane for each column, one bit for each row.
    var columns = SIMD8<Int16>.zero
    for row in 0..<8 {
      let line = unsafe UnsafeRawPointer(block + row &* 8)
        .loadUnaligned(as: SIMD8<Int16>.self)
      // All ones where there is something: the sign of the value or of its opposite.
      let isNonzero = (line | (0 &- line)) &>> SIMD8(repeating: 15)
      columns |= isNonzero & SIMD8(repeating: 1 &<< Int16(row))
    }
    let sets = unsafe unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: columns), to: UInt64.self)
    var mask: UInt64 = 0
    for column in 0..<8 {
      let set = Int(truncatingIfNeeded: sets &>> UInt64(8 &* column)) & 255
      unsafe mask |= positions[column &* 256 &+ set]
    }
    return mask
  }

  /// Writes the AC coefficients that are not zero, one byte each.
  ///
  /// - Returns: Whether all of them fit into a byte; if not, `end` is where it was.
  @inline(__always)
  func put(
    _ block: UnsafePointer<Int16>,
    _ mask: UInt64,
    _ end: inout UnsafeMutablePointer<Int8>
  ) -> Bool {
    var position = unsafe end
    var excess: Int16 = 0
    var left = mask & ~1
    while left != 0 {
      let value = unsafe value(block, left.trailingZeroBitCount)
      left &= left &- 1
      let byte = Int8(truncatingIfNeeded: value)
      excess |= value ^ Int16(byte)
      unsafe position.pointee = byte
      unsafe position += 1
    }
    guard excess == 0 else { return false }
    unsafe end = position
    return true
  }

  /// Writes the AC coefficients that are not zero, two bytes each, the lower one first.
  ///
  /// - Returns: Whether none of them is too large.
  @inline(never)
  func putWide(
    _ block: UnsafePointer<Int16>,
    _ mask: UInt64,
    _ end: inout UnsafeMutablePointer<Int8>
  ) -> Bool {
    var isSound = true
    var left = mask & ~1
    while left != 0 {
      let value = unsafe value(block, left.trailingZeroBitCount)
      left &= left &- 1
      if abs(Int(value)) >= Self.tooLarge { isSound = false }
      unsafe end[0] = Int8(truncatingIfNeeded: value)
      unsafe end[1] = Int8(truncatingIfNeeded: value &>> 8)
      unsafe end += 2
    }
    return isSound
  }

  /// The coefficient of the turned block at a zigzag position.
  @inline(__always)
  private func value(_ block: UnsafePointer<Int16>, _ zigzag: Int) -> Int16 {
    let place = unsafe places[zigzag]
    let value = unsafe block[Int(place & 63)]
    let sign = Int16(place &>> 6)
    return (value ^ (0 &- sign)) &+ sign
  }
}
