internal import ImageOrientation

/// Turns rows of pixels of three bytes each.
enum PixelTurn {
  /// The turned pixels.
  ///
  /// - Parameters:
  ///   - pixels: Height × width × 3 bytes.
  ///   - width: Pixels a row, before the turn.
  ///   - height: Rows, before the turn.
  ///   - turn: How to turn them.
  /// - Returns: As many bytes.
  static func turned(
    _ pixels: ArraySlice<UInt8>,
    width: Int,
    height: Int,
    by turn: Turn
  ) -> [UInt8] {
    let start = pixels.startIndex
    let new = turn.size(width: width, height: height)
    var result = [UInt8](repeating: 0, count: width * height * 3)
    for row in 0..<height {
      for column in 0..<width {
        let place = turn.destination(column: column, row: row, columns: width, rows: height)
        let (source, target) = (
          start + (row * width + column) * 3, (place.row * new.width + place.column) * 3
        )
        for sample in 0..<3 { result[target + sample] = pixels[source + sample] }
      }
    }
    return result
  }
}
