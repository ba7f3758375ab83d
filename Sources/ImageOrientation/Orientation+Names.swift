/// The numbers and names of the eight orientations in other programs.
extension Orientation {
  /// The raw value of `UIImage.Orientation` and of `ALAssetOrientation`, which differ from Exif: 0 up, 1 down, 2 left,
  /// 3 right, and the mirrored ones 4 to 7 in the same order.
  public var uiImageRawValue: Int {
    switch self {
    case .up: 0
    case .down: 1
    case .left: 2
    case .right: 3
    case .upMirrored: 4
    case .downMirrored: 5
    case .leftMirrored: 6
    case .rightMirrored: 7
    }
  }

  /// Creates an orientation from a raw value of `UIImage.Orientation`, 0 to 7.
  public init?(uiImageRawValue: Int) {
    guard let match = Self.allCases.first(where: { $0.uiImageRawValue == uiImageRawValue }) else {
      return nil
    }
    self = match
  }

  /// The raw value of `CGImagePropertyOrientation`, which is Exif's.
  public var cgImagePropertyRawValue: UInt32 { UInt32(rawValue) }

  /// Creates an orientation from a raw value of `CGImagePropertyOrientation`, 1 to 8.
  public init?(cgImagePropertyRawValue: UInt32) {
    guard let value = Int(exactly: cgImagePropertyRawValue) else { return nil }
    self.init(rawValue: value)
  }
}

extension Orientation: LosslessStringConvertible {
  /// The name in UIKit and Core Graphics, such as `leftMirrored`.
  public var description: String {
    switch self {
    case .up: "up"
    case .upMirrored: "upMirrored"
    case .down: "down"
    case .downMirrored: "downMirrored"
    case .leftMirrored: "leftMirrored"
    case .right: "right"
    case .rightMirrored: "rightMirrored"
    case .left: "left"
    }
  }

  /// Creates an orientation from its name.
  public init?(_ description: String) {
    guard let match = Self.allCases.first(where: { $0.description == description }) else {
      return nil
    }
    self = match
  }
}
