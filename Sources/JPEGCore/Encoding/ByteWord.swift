extension Span<Int8> {
  /// Returns eight bytes as a big-endian word: the first byte is the highest, and bytes after the end are zero.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0, "the bytes begin at 0")
    guard offset <= count &- 8 else { return lastWord(at: offset) }
    return unsafe UInt64(
      bigEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    )
  }

  @inline(never)
  private func lastWord(at offset: Int) -> UInt64 {
    (offset..<offset + 8).reduce(0) { word, index in
      word << 8 | (index < count ? UInt64(UInt8(bitPattern: self[index])) : 0)
    }
  }
}
