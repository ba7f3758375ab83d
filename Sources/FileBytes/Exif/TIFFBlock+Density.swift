package import ImageOrientation

/// The size at which browsers show an image by its resolution (HTML, density-corrected natural width and height).
extension TIFFBlock {
  /// A resolution by which PixelXDimension and PixelYDimension are the size in pixels of 1/72 inch.
  package struct Density {
    /// The resolution along each axis, in pixels per inch.
    let x: Double
    let y: Double
    /// The size for which the dimensions are given, and the dimensions.
    let stored: PixelSize
    let dimensions: (width: Int64, height: Int64)

    /// Whether the resolutions of the axes differ, so that they must be swapped with the axes.
    package var differs: Bool { x != y }

    /// Returns the dimensions of the transformed image.
    func size(
      of new: PixelSize,
      _ transform: OrientationTransform
    ) -> (width: Int64, height: Int64) {
      let swaps = transform.transposes
      if new == transform.size(of: stored) {
        return swaps ? (dimensions.height, dimensions.width) : dimensions
      }
      return (
        Density.points(new.width, swaps ? y : x), Density.points(new.height, swaps ? x : y)
      )
    }

    private static func points(_ pixels: Int, _ resolution: Double) -> Int64 {
      Int64((Double(pixels) * 72 / resolution).rounded())
    }
  }

  /// Returns the resolution if the dimensions in Exif follow from it and from the size of the image; nil otherwise.
  ///
  /// Browsers round differently.
  package func density(of size: PixelSize, _ bytes: Span<UInt8>) -> Density? {
    func resolution(_ tag: UInt16) -> Double? {
      guard let entry = entry(.ifd0, tag), entry.type == 5, entry.value != nil,
        let value = rationals(entry, bytes).first?.value, value > 0
      else { return nil }
      return value
    }
    guard integer(.ifd0, ExifTag.resolutionUnit, bytes) == 2,
      let x = resolution(ExifTag.xResolution), let y = resolution(ExifTag.yResolution),
      let width = integer(.exif, ExifTag.pixelXDimension, bytes), width > 0,
      let height = integer(.exif, ExifTag.pixelYDimension, bytes), height > 0,
      abs(Double(size.width) * 72 / x - Double(width)) < 1,
      abs(Double(size.height) * 72 / y - Double(height)) < 1
    else { return nil }
    return Density(x: x, y: y, stored: size, dimensions: (width, height))
  }
}
