extension Span<Int8> {
  /// Eight bytes as a word, the first one highest.
  ///
  /// - Precondition: There are as many from `offset` on.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count &- 8, "there are eight bytes")
    return unsafe UInt64(
      bigEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    )
  }
}
