internal import ImageOrientation

extension OrientationTransform {
  /// Creates a rotation by an angle in degrees; nil if it is no multiple of 90.
  init?(clockwiseDegrees degrees: Int32) {
    guard degrees.isMultiple(of: 90) else { return nil }
    self.init(clockwiseQuarters: Int(degrees) / 90)
  }
}
