/// Room for the 64 coefficients of a block, to reach them one by one; all zeros between uses.
@safe
struct BlockBuffer: ~Copyable {
  private let values: UnsafeMutablePointer<Int16>

  init() {
    unsafe values = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 16)
      .bindMemory(to: Int16.self, capacity: 64)
    unsafe values.initialize(repeating: 0, count: 64)
  }

  deinit { unsafe UnsafeMutableRawPointer(values).deallocate() }

  @inline(__always)
  subscript(index: Int) -> Int16 {
    get { unsafe values[index & 63] }
    set { unsafe values[index & 63] = newValue }
  }

  /// Whether the four values of a group are zero.
  @inline(__always)
  func isZero(group: Int) -> Bool {
    unsafe UnsafeRawPointer(values).load(fromByteOffset: group & 15 &* 8, as: UInt64.self) == 0
  }

  /// Puts a whole block.
  @inline(__always)
  mutating func put(_ block: Block) {
    for line in 0..<8 {
      unsafe UnsafeMutableRawPointer(values).storeBytes(
        of: block[line],
        toByteOffset: line &* 16,
        as: SIMD8<Int16>.self
      )
    }
  }

  @inline(__always)
  mutating func clear() { put(Block(repeating: .zero)) }

  /// Takes the block out and leaves zeros.
  @inline(__always)
  mutating func take() -> Block {
    let result = Block { line in
      unsafe UnsafeRawPointer(values).load(fromByteOffset: line &* 16, as: SIMD8<Int16>.self)
    }
    clear()
    return result
  }
}
