/// Why the coefficients of an image cannot be decoded.
package enum DecodeError: Error, Hashable, Sendable {
  /// The scan data is damaged near this offset.
  case damaged(at: Int, String)
  /// This decoder does not support the image.
  case unsupported(at: Int, String)
  /// A limit of the work was reached.
  case stopped(WorkLimit)
}
