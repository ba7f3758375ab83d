/// Why TurboJPEG could not read an image.
package enum TransformError: Error, Hashable, Sendable {
  /// The entropy-coded data is incomplete or damaged.
  case damaged(String)
  /// There is not enough memory for the coefficients.
  case outOfMemory
}
