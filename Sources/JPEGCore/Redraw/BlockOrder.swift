internal import CVectors

/// Gives blocks of ``BlockTransform`` the signs and the order of a file.
///
/// The signs of eight coefficients are changed at once. The coefficients are not moved: they are read by a table.
@safe
struct BlockOrder: ~Copyable {
  /// The block and the tables in one allocation: one base address is enough for all accesses.
  fileprivate struct Memory {
    /// The additional bits of the current block's coefficients, and the marks of a ``CoefficientBlock``.
    ///
    /// They must be first.
    var values = [72 of Int16](repeating: 0)
    /// All ones where the sign changes, otherwise zero.
    var signs: Block
    /// The index of each zigzag position, and of the marks.
    var places = [66 of UInt8](repeating: 0)
    /// The bits of zigzag positions for four coefficients: the number of the four, and which of them are not zero.
    var masks = [256 of UInt64](repeating: 0)
  }

  private let memory: UnsafeMutablePointer<Memory>

  init(_ layout: borrowing BlockLayout) {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: Memory(signs: layout.signs))
    unsafe memory.pointee.values[64] = Int16(OrderedBlock.eob)
    unsafe memory.pointee.values[65] = Int16(OrderedBlock.none)
    for zigzag in 0..<66 {
      let place = zigzag < 64 ? layout.place(zigzag) : zigzag
      unsafe memory.pointee.places[zigzag] = UInt8(place)
      guard zigzag < 64 else { continue }
      for four in 0..<16 where four >> (place % 4) & 1 == 1 {
        unsafe memory.pointee.masks[place / 4 * 16 + four] |= 1 << UInt64(zigzag)
      }
    }
  }

  deinit { unsafe memory.deallocate() }

  /// Returns a block of a row in the order of the file; it is valid until the next one is requested.
  @inline(__always)
  func ordered(_ row: BlockRow, _ column: Int) -> OrderedBlock {
    var (mask, magnitudes) = (0 as UInt64, SIMD8<Int16>.zero)
    // Lines are read one by one, because a loop over those of a block would copy it for each of them.
    for number in 0..<4 {
      let lines = (row.line(column, 2 &* number), row.line(column, 2 &* number &+ 1))
      var magnitude = put(lines.0, 2 &* number)
      // Not that of the DC coefficient.
      if number == 0 { magnitude[0] = 0 }
      magnitudes |= magnitude | put(lines.1, 2 &* number &+ 1)
      let nonzero = nonzero_lanes(lines.0, lines.1)
      for four in 0..<4 {
        let lanes = Int(nonzero &>> UInt32(truncatingIfNeeded: 4 &* four) & 15)
        mask |= unsafe memory.pointee.masks[unchecked: (4 &* number &+ four) &* 16 &+ lanes]
      }
    }
    var all: Int16 = 0
    for lane in 0..<8 { all |= magnitudes[lane] }
    return unsafe OrderedBlock(
      dc: row.value(column, 0),
      TransformedBlock.Shape(mask: mask, magnitudes: UInt16(bitPattern: all)),
      memory
    )
  }

  /// Puts a line, and returns the magnitudes of its coefficients.
  @inline(__always)
  private func put(_ line: SIMD8<Int16>, _ number: Int) -> SIMD8<Int16> {
    let negative = line &>> SIMD8(repeating: 15)
    let bits = line &+ negative
    unsafe UnsafeMutableRawPointer(memory).storeBytes(
      of: bits ^ memory.pointee.signs[unchecked: number],
      toByteOffset: 16 &* number,
      as: SIMD8<Int16>.self
    )
    return bits ^ negative
  }
}

/// A block in the order of a file while the copy of it in ``BlockOrder`` is valid.
@safe
struct OrderedBlock: CoefficientBlock, ~Copyable {
  let dc: Int16
  let shape: TransformedBlock.Shape
  private let memory: UnsafeMutablePointer<BlockOrder.Memory>

  @inline(__always)
  fileprivate init(
    dc: Int16,
    _ shape: TransformedBlock.Shape,
    _ memory: UnsafeMutablePointer<BlockOrder.Memory>
  ) {
    self.dc = dc
    self.shape = shape
    unsafe self.memory = memory
  }

  @inline(__always)
  func additionalBits(at zigzag: Int) -> Int16 {
    unsafe memory.pointee.values[unchecked: Int(memory.pointee.places[unchecked: zigzag])]
  }
}
