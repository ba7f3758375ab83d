internal import ImageOrientation

/// Transforms rows of pixels of three bytes each.
enum PixelTransform {
  static func transformed(
    _ pixels: ArraySlice<UInt8>,
    _ size: PixelSize,
    by transform: OrientationTransform
  ) -> [UInt8] {
    let start = pixels.startIndex
    let (width, height) = (size.width, size.height)
    let new = size.transformed(by: transform)
    var result = [UInt8](repeating: 0, count: width * height * 3)
    for row in 0..<height {
      for column in 0..<width {
        let place = transform.destination(column: column, row: row, columns: width, rows: height)
        let (source, target) = (
          start + (row * width + column) * 3, (place.row * new.width + place.column) * 3
        )
        for sample in 0..<3 { result[target + sample] = pixels[source + sample] }
      }
    }
    return result
  }
}
