internal import FileBytes
internal import ImageOrientation

extension ExifComparison {
  /// The size at which a browser shows the original by its resolution; nil if it does not follow it.
  var shownSize: ImageSize<Int64>? { Self.shownSize(old, sizes.old, files.original.span) }

  /// Checks that browsers show the result at the size of the original (HTML, density-corrected natural width and height).
  func compareShownSize() -> [Observation] {
    guard let before = shownSize else { return [] }
    let after = Self.shownSize(new, sizes.new, files.result.span)
    let expected =
      transform.transposes ? ImageSize(width: before.height, height: before.width) : before
    let isWhole = sizes.new == transform.size(of: sizes.old)
    guard isWhole ? after != expected : after == nil else { return [] }
    let found = after.map { "\($0.width)×\($0.height)" } ?? "another size"
    let text =
      "by PixelXDimension, PixelYDimension and the resolutions, browsers showed the image as "
      + "\(expected.width)×\(expected.height) pixels; they show the result as \(found)"
    return [
      .finding(
        .exifDimensionsStale,
        text,
        original: old.range.lowerBound,
        result: new.range.lowerBound
      )
    ]
  }

  /// Returns PixelXDimension and PixelYDimension if they are the size in inches of 72 pixels.
  private static func shownSize(
    _ block: TIFFBlock,
    _ size: PixelSize,
    _ bytes: Span<UInt8>
  ) -> ImageSize<Int64>? {
    func fits(_ pixels: Int, _ dimension: Int64?, _ tag: UInt16) -> Bool {
      guard let dimension, dimension > 0,
        let entry = block.entries(.ifd0, tag).first, entry.type == 5,
        let place = entry.value?.lowerBound,
        let above = bytes.uint32(at: place, block.order),
        let below = bytes.uint32(at: place + 4, block.order), above > 0, below > 0
      else { return false }
      // pixels · 72 · below ÷ above, which is at most one pixel from the dimension.
      let shown = Double(pixels) * 72 * Double(below) / Double(above)
      return abs(shown - Double(dimension)) < 1
    }
    let width = block.integer(.exif, ExifTag.pixelXDimension, bytes)
    let height = block.integer(.exif, ExifTag.pixelYDimension, bytes)
    guard block.integer(.ifd0, ExifTag.resolutionUnit, bytes) == 2,
      let width, let height,
      fits(size.width, width, ExifTag.xResolution), fits(size.height, height, ExifTag.yResolution)
    else { return nil }
    return ImageSize(width: width, height: height)
  }
}
