/// Why TurboJPEG could not read an image.
package enum TransformError: Error, Hashable, Sendable {
  /// The entropy-coded data is incomplete or damaged.
  case damaged(String)
  /// TurboJPEG has no name for the sampling factors, such as those of a transposed 4:1:1 image.
  case unknownSampling(String)
  /// The build has no TurboJPEG.
  case missing
  /// There is not enough memory for the coefficients.
  case outOfMemory
}
