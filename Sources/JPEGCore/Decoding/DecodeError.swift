/// Why an image's coefficients cannot be read.
package enum DecodeError: Error, Hashable, Sendable {
  /// The scan data is damaged near this offset: the rest could only be invented.
  case damaged(at: Int, String)
  /// This decoder does not read such images.
  case unsupported(at: Int, String)
  /// A limit of the work was reached.
  case stopped(WorkLimit)
}
