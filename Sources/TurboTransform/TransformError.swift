/// Why TurboJPEG could not read an image.
package enum TransformError: Error, Hashable, Sendable {
  /// The entropy-coded data is incomplete or damaged: libjpeg could only have invented the rest.
  case damaged(String)
  /// There was no memory for the coefficients.
  case outOfMemory
}
