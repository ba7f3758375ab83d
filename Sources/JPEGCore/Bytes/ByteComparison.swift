internal import CMemory

extension [UInt8] {
  /// Returns whether the bytes equal those of `other` in `range`.
  ///
  /// Uses `memcmp`, which is ten times faster than comparing slices.
  package func equals(_ other: [UInt8], in range: Range<Int>) -> Bool {
    guard range.lowerBound >= 0, range.upperBound <= other.count, range.count == count else {
      return false
    }
    guard !isEmpty else { return true }
    return unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { others in
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return false }
        return unsafe compare_bytes(first, second + range.lowerBound, bytes.count) == 0
      }
    }
  }
}
