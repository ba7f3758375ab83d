internal import FileBytes

/// The bytes of a container, which may be in several pieces of the file.
struct ContainerBytes {
  let bytes: [UInt8]
  /// Where each piece starts here, and in the file.
  private let pieces: [(start: Int, offset: Int)]

  /// Creates a container that is the whole file.
  init(_ file: [UInt8]) { (bytes, pieces) = (file, [(0, 0)]) }

  /// Joins ranges of a file.
  init(_ ranges: [Range<Int>], of file: [UInt8]) {
    var (bytes, pieces): ([UInt8], [(start: Int, offset: Int)]) = ([], [])
    for range in ranges {
      pieces.append((bytes.count, range.lowerBound))
      bytes += file[range]
    }
    self.bytes = bytes
    self.pieces = pieces.isEmpty ? [(0, 0)] : pieces
  }

  private init(_ bytes: [UInt8], _ pieces: [(start: Int, offset: Int)]) {
    (self.bytes, self.pieces) = (bytes, pieces)
  }

  /// Returns the offset in the file of a position.
  func offset(of position: Int) -> Int {
    let next = pieces.partitionPoint { $0.start > position }
    let piece = pieces[max(next - 1, 0)]
    return piece.offset + position - piece.start
  }

  /// Returns a part as a container of its own.
  func part(_ range: Range<Int>) -> ContainerBytes {
    if range == bytes.indices { return self }
    let inner = pieces.filter { range.contains($0.start) && $0.start > range.lowerBound }
    return ContainerBytes(
      Array(bytes[range]),
      [(0, offset(of: range.lowerBound))]
        + inner.map { ($0.start - range.lowerBound, $0.offset) }
    )
  }
}
