internal import ImageOrientation

/// Transforms the coefficients of single blocks with a table of targets and signs.
///
/// Transposing swaps horizontal and vertical frequencies. Mirroring an axis changes the signs of its odd frequencies:
/// the basis function cos((2x + 1)uπ/16), mirrored, is (-1)^u times itself. So each zigzag position has one target
/// position and one sign. Values are in the form of their additional bits (T.81, F.1.2.1), in which -v is the
/// complement of v; the sign changes with an exclusive OR and without a branch. Positions beyond 63 have target 0, the
/// unused place of the DC coefficient: callers may pass them instead of branching.
@safe
struct CoefficientTransform: ~Copyable {
  /// The block and both tables in one allocation: one base address is enough for all accesses.
  private struct Memory {
    /// The current block, see ``TransformedBlock/values``.
    ///
    /// It must be first.
    var values = [66 of Int16](repeating: 0)
    /// For each zigzag position of the source the position in the transformed block; 0 for 64 to 191.
    var targets = [192 of UInt8](repeating: 0)
    /// For each zigzag position of the source all ones if the sign changes, otherwise zero.
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
    let changes = Self.signChanges(transform)
    for zigzag in 0..<64 {
      let target = transform.transposes ? Zigzag.transposed[zigzag] : zigzag
      unsafe memory.pointee.targets[zigzag] = UInt8(target)
      unsafe memory.pointee.signs[zigzag] = changes >> UInt64(zigzag) & 1 == 1 ? -1 : 0
    }
  }

  /// Returns the zigzag positions of the source at which the sign changes, as bits.
  static func signChanges(_ transform: OrientationTransform) -> UInt64 {
    (0..<64).reduce(0) { changes, zigzag in
      let target = Zigzag.natural[transform.transposes ? Zigzag.transposed[zigzag] : zigzag]
      let changesSign =
        (transform.mirrorsX && target % 2 == 1) != (transform.mirrorsY && target / 8 % 2 == 1)
      return changesSign ? changes | 1 << UInt64(zigzag) : changes
    }
  }

  deinit { unsafe memory.deallocate() }

  /// Transforms one AC coefficient of the current block.
  ///
  /// The value is given as its sign-extended additional bits. At zigzag positions 64 to 191 it is ignored.
  @inline(__always)
  mutating func take(_ value: Int16, at zigzag: Int, into block: inout TransformedBlock.Shape) {
    let target = unsafe Int(memory.pointee.targets[unchecked: zigzag])
    unsafe memory.pointee.values[unchecked: target] =
      value ^ memory.pointee.signs[unchecked: zigzag]
    block.add(at: target)
  }

  /// Returns the current block, which is valid until the next one is started.
  @inline(__always)
  mutating func transformed(dc: Int16, _ shape: TransformedBlock.Shape) -> TransformedBlock {
    unsafe TransformedBlock(dc: dc, shape, values: values)
  }
}
