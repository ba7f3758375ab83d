internal import CMemory

extension Span<UInt8> {
  /// Whether the bytes from `offset` on begin with `prefix`.
  package func hasPrefix(_ prefix: StaticString, at offset: Int = 0) -> Bool {
    let length = prefix.utf8CodeUnitCount
    guard offset >= 0, length <= count - offset else { return false }
    return unsafe withUnsafeBufferPointer { bytes in
      prefix.withUTF8Buffer { prefix in
        guard let first = bytes.baseAddress, let second = prefix.baseAddress else { return true }
        return unsafe compare_bytes(first + offset, second, length) == 0
      }
    }
  }
}

extension [UInt8] {
  /// Returns whether the bytes equal those of `other` in `range`.
  package func equals(_ other: [UInt8], in range: Range<Int>) -> Bool {
    range.count == count && equals(indices, in: other, at: range.lowerBound)
  }

  /// Returns whether a range has the same bytes as `other` at an offset.
  ///
  /// Uses `memcmp`, which is ten times faster than comparing slices.
  package func equals(_ range: Range<Int>, in other: [UInt8], at offset: Int) -> Bool {
    guard range.lowerBound >= 0, range.upperBound <= count, offset >= 0,
      range.count <= other.count - offset
    else { return false }
    guard !range.isEmpty else { return true }
    return unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { others in
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return false }
        return unsafe compare_bytes(first + range.lowerBound, second + offset, range.count) == 0
      }
    }
  }
}
