internal import JPEGCore
internal import TurboTransform

/// Small renditions of images for reports.
package enum Preview {
  /// The maximum size of a file that is decoded, in bytes.
  package static let maxBytes = 16 << 20
  private static let maxPixels = 64 << 20
  /// The maximum number of pixels of an image with several scans, whose coefficients are all in memory.
  private static let maxScannedPixels = 16 << 20
  /// The maximum number of scans of an image that is decoded.
  ///
  /// Encoders write up to 12; each is a pass over all blocks.
  private static let maxScans = 20

  /// Returns a rendition of the image as it is stored, without metadata; nil if it is too large or cannot be decoded.
  package static func jpeg(of file: [UInt8], maxSide: Int) -> [UInt8]? {
    guard file.count <= maxBytes, let container = try? Container(file.span),
      container.scans.count <= maxScans, let header = try? Header(container, file.span),
      header.frame.pixelCount
        <= (container.scans.count > 1 ? maxScannedPixels : maxPixels)
    else { return nil }
    let stream = container.decodableStream(file, showsColor: true)
    let small = try? ReducedImage(stream, frame: header.frame, maxSide: maxSide)
    return small?.encoded(quality: 70)
  }
}
