#if canImport(ImageIO)
public import ImageIO
public import ImageOrientation

extension Orientation {
  /// Creates the orientation that ImageIO gives, as that of an image's properties.
  public init?(_ orientation: CGImagePropertyOrientation) {
    self.init(cgImagePropertyRawValue: orientation.rawValue)
  }
}

extension CGImagePropertyOrientation {
  /// Creates the orientation for ImageIO.
  public init(_ orientation: Orientation) {
    self =
      switch orientation {
      case .up: .up
      case .upMirrored: .upMirrored
      case .down: .down
      case .downMirrored: .downMirrored
      case .leftMirrored: .leftMirrored
      case .right: .right
      case .rightMirrored: .rightMirrored
      case .left: .left
      }
  }
}
#endif
