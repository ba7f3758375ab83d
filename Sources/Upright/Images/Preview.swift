internal import JPEGCore
internal import TurboTransform

/// A small rendition of the image that a file stores, for a report to show.
package enum Preview {
  /// The largest file that is decoded, in bytes.
  package static let maxBytes = 16 << 20
  /// The most pixels of an image that is decoded.
  private static let maxPixels = 64 << 20
  /// The most pixels of an image of several scans, whose coefficients the decoder holds all at once.
  private static let maxScannedPixels = 16 << 20
  /// The most scans of an image that is decoded: encoders write up to 12, and each costs a pass over all blocks.
  private static let maxScans = 20

  /// Makes a rendition that is oriented as the image is stored.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - maxSide: The most pixels of the longer side.
  /// - Returns: A JPEG stream without metadata, or nil where the file is too large to be decoded quickly or cannot
  ///   be decoded.
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
