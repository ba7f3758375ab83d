#if canImport(UIKit)
public import ImageOrientation
public import UIKit

extension Orientation {
  /// Creates the orientation of a `UIImage`, whose raw values differ from those of Exif.
  public init?(_ orientation: UIImage.Orientation) {
    self.init(uiImageRawValue: orientation.rawValue)
  }
}

extension UIImage.Orientation {
  /// Creates the orientation for UIKit.
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
