internal import ImageOrientation

/// Turns single blocks: which coefficient goes where, and which changes its sign.
///
/// Transposing exchanges the frequencies of the axes; mirroring an axis changes the sign of its odd ones.
@safe
struct BlockTurn: ~Copyable {
  /// For each zigzag position of the turned block the place in the source, row × 8 + column.
  private let places: UnsafeMutablePointer<UInt8>
  /// For each column of the source and each set of its rows the zigzag positions of the turned block.
  private let positions: UnsafeMutablePointer<UInt64>
  /// All ones where the sign changes, in even and in odd rows of the source.
  private let signs: TurnedBlock.Signs
  /// The lower bytes of the block that was turned last.
  private let bytes: UnsafeMutablePointer<Int8>

  init(_ turn: Turn) {
    unsafe places = .allocate(capacity: 64)
    unsafe positions = .allocate(capacity: 8 * 256)
    unsafe bytes = .allocate(capacity: 64)
    var signs = (even: SIMD8<Int16>.zero, odd: SIMD8<Int16>.zero)
    for column in 0..<8 {
      unsafe positions[column * 256] = 0
      for row in 0..<8 {
        let target = turn.transposes ? (row: column, column: row) : (row: row, column: column)
        let changesSign =
          (turn.mirrorsX && target.column % 2 == 1) != (turn.mirrorsY && target.row % 2 == 1)
        if changesSign, row == 0 { signs.even[column] = -1 }
        if changesSign, row == 1 { signs.odd[column] = -1 }
        let zigzag = Zigzag.position[target.row * 8 + target.column]
        unsafe places[zigzag] = UInt8(row * 8 + column)
        for others in 0..<1 << row {
          let set = column * 256 + others
          unsafe positions[set + 1 << row] = positions[set] | 1 << UInt64(zigzag)
        }
      }
    }
    self.signs = signs
  }

  deinit {
    unsafe places.deallocate()
    unsafe positions.deallocate()
    unsafe bytes.deallocate()
  }

  /// Turns a block.
  ///
  /// - Parameter source: 64 coefficients, row by row.
  /// - Returns: The turned block, until the next one is turned.
  @inline(__always)
  func turned(_ source: UnsafePointer<Int16>) -> TurnedBlock {
    // One lane for each column, one bit for each row.
    var columns = SIMD8<Int16>.zero
    var shifted = SIMD8<Int16>.zero
    for row in stride(from: 0, to: 8, by: 2) {
      let place = unsafe UnsafeRawPointer(source + row &* 8)
      let even = unsafe place.loadUnaligned(as: SIMD8<Int16>.self)
      let odd = unsafe place.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
      columns |= SIMD8.zero.replacing(with: 1 &<< Int16(row), where: even .!= .zero)
      columns |= SIMD8.zero.replacing(with: 2 &<< Int16(row), where: odd .!= .zero)
      let turned = SIMD16(
        lowHalf: (even ^ signs.even) &- signs.even,
        highHalf: (odd ^ signs.odd) &- signs.odd
      )
      unsafe UnsafeMutableRawPointer(bytes + row &* 8)
        .storeBytes(of: SIMD16<Int8>(truncatingIfNeeded: turned), as: SIMD16<Int8>.self)
      // The upper byte is zero where the value is one of a byte.
      var lowHalf = turned.lowHalf
      if row == 0 { lowHalf[0] = 0 }
      shifted |= lowHalf &+ SIMD8(repeating: 128)
      shifted |= turned.highHalf &+ SIMD8(repeating: 128)
    }
    let halves = unsafe unsafeBitCast(shifted, to: SIMD2<UInt64>.self)
    let sets = unsafe unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: columns), to: UInt64.self)
    var mask: UInt64 = 0
    for column in 0..<8 {
      let set = Int(truncatingIfNeeded: sets &>> UInt64(8 &* column)) & 255
      unsafe mask |= positions[column &* 256 &+ set]
    }
    return unsafe TurnedBlock(
      mask: mask & ~1,
      isNarrow: (halves.x | halves.y) & 0xFF00_FF00_FF00_FF00 == 0,
      source: source,
      bytes: bytes,
      places: places,
      signs: signs
    )
  }
}
