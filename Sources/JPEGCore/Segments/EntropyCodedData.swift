internal import FileBytes

extension Span<UInt8> {
  /// Returns the offset at which entropy-coded data that begins at `offset` ends: the first 0xFF that is followed,
  /// after any fill bytes, by a marker other than RSTn; or the end of the bytes.
  ///
  /// Fill bytes before the marker belong to the marker, not to the data (T.81, B.1.1.2 and B.1.1.5).
  package func endOfEntropyCodedData(from offset: Int) -> Int {
    var position = offset
    while let hit = indexOfFF(from: position) {
      var next = hit + 1
      while next < count, self[next] == 0xFF { next += 1 }
      guard next < count else { return hit }
      switch self[next] {
      case 0x00, 0xD0...0xD7: position = next + 1
      default: return hit
      }
    }
    return count
  }
}
