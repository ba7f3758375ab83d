internal import FileBytes
internal import JPEGCore

/// The distortion and cost of re-encoding an image.
public struct RedrawReport: Hashable, Sendable {
  /// The peak signal-to-noise ratio of the displayed red, green and blue, in decibels; infinite if they are equal.
  ///
  /// Chroma is interpolated as most decoders do (fancy upsampling in libjpeg). For an image that is not YCbCr, the ratio
  /// is that of the components. Of images with 1,024 lines or more every seventh is measured.
  public var psnr: Double
  /// The largest difference of two displayed values in the lines that are measured, 0 to 255.
  public var largestError: Int
  /// The number of original coefficients in the undo data; 0 after a crop, which has no undo data.
  package var exceptions: Int
  /// The size of ``exceptions`` in the undo data, in bytes.
  package var exceptionBytes: Int
  /// The size in bytes of the image's entropy-coded data in the original.
  package var sizeBefore: Int
  /// The size in bytes of the image's entropy-coded data in the result.
  package var sizeAfter: Int
}

extension RedrawReport {
  init?(_ rewritten: ImageTransformer.Result) {
    guard let distortion = rewritten.distortion else { return nil }
    let scans = rewritten.edits.filter { $0.content == .entropyCodedData }
    self.init(
      psnr: distortion.psnr,
      largestError: distortion.largestError,
      exceptions: rewritten.transformed.exceptions?.count ?? 0,
      exceptionBytes: rewritten.transformed.exceptions?.serialized.count ?? 0,
      sizeBefore: scans.reduce(0) { $0 + $1.range.count },
      sizeAfter: scans.reduce(0) { $0 + $1.replacement.count }
    )
  }
}
