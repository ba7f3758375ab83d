/// How a camera is held, seen from behind the camera.
///
/// `upright` is the pose in which the sensor stores an upright image: a camera with the shutter at the top, a
/// telephone lying on its side.
public enum CameraPose: CaseIterable, Sendable, Hashable {
  /// The pose in which the sensor stores an upright image.
  case upright
  /// Rotated clockwise by 90°: its right side is down.
  case clockwise
  /// Upside down.
  case upsideDown
  /// Rotated counter-clockwise by 90°: its left side is down.
  case counterclockwise
}

/// How a telephone or tablet is held, as `UIDeviceOrientation` names and numbers it.
public enum DevicePose: Int, CaseIterable, Sendable, Hashable {
  /// Upright, the home button or its place at the bottom.
  case portrait = 1
  /// Upside down, the home button at the top.
  case portraitUpsideDown = 2
  /// On its side, the home button at the right, facing the screen.
  case landscapeLeft = 3
  /// On its side, the home button at the left, facing the screen.
  case landscapeRight = 4

  /// A camera of the device.
  public enum Camera: CaseIterable, Sendable, Hashable {
    /// The camera at the back.
    case rear
    /// The camera on the side of the screen.
    case front
  }

  /// Returns how one of the device's cameras is held.
  public func pose(of camera: Camera) -> CameraPose {
    switch (self, camera) {
    case (.landscapeLeft, .rear), (.landscapeRight, .front): .upright
    case (.portrait, _): .clockwise
    case (.landscapeRight, .rear), (.landscapeLeft, .front): .upsideDown
    case (.portraitUpsideDown, _): .counterclockwise
    }
  }
}

/// The orientation that a camera records in each pose.
///
/// | Camera, seen from after | Device, rear | Device, front | Tag | Tag, mirrored |
/// |---|---|---|---|---|
/// | upright | landscapeLeft | landscapeRight | 1 up | 2 upMirrored |
/// | rotated clockwise | portrait | portrait | 6 right | 5 leftMirrored |
/// | upside down | landscapeRight | landscapeLeft | 3 down | 4 downMirrored |
/// | rotated counter-clockwise | portraitUpsideDown | portraitUpsideDown | 8 left | 7 rightMirrored |
extension Orientation {
  /// Creates the orientation that a camera records in a pose.
  ///
  /// - Parameters:
  ///   - pose: How the camera is held.
  ///   - mirrored: Whether the image is displayed mirrored, as images of front cameras are.
  public init(_ pose: CameraPose, mirrored: Bool = false) {
    // The stored image is rotated against the camera; rotating it like the camera makes it upright.
    let transform: OrientationTransform =
      switch pose {
      case .upright: .none
      case .clockwise: .rotate90
      case .upsideDown: .rotate180
      case .counterclockwise: .rotate270
      }
    self.init(uprightBy: mirrored ? transform.then(.flipHorizontal) : transform)
  }
}
