/// How a camera is held, as seen from after it, looking where it looks.
///
/// `upright` is how the sensor stores an upright image: for a camera with the shutter at the top, for a
/// telephone lying on its side.
public enum CameraPose: CaseIterable, Sendable, Hashable {
  /// In its normal position.
  case upright
  /// Rotated clockwise by a quarter: its right side is down.
  case clockwise
  /// Upside down.
  case upsideDown
  /// Rotated counter-clockwise by a quarter: its left side is down.
  case counterclockwise
}

/// How a telephone or tablet is held, as `UIDeviceOrientation` names and numbers it.
public enum DevicePose: Int, CaseIterable, Sendable, Hashable {
  /// Upright, the home button or its place at the bottom.
  case portrait = 1
  /// Upside down, the home button at the top.
  case portraitUpsideDown = 2
  /// On its side, the home button at the right as seen by somebody who looks at the screen.
  case landscapeLeft = 3
  /// On its side, the home button at the left as seen by somebody who looks at the screen.
  case landscapeRight = 4

  /// The camera of a device that looks away from the screen, or with it.
  public enum Camera: CaseIterable, Sendable, Hashable {
    /// The camera at the back.
    case rear
    /// The camera on the side of the screen.
    case front
  }

  /// How one of the device's cameras is held.
  public func pose(of camera: Camera) -> CameraPose {
    switch (self, camera) {
    case (.landscapeLeft, .rear), (.landscapeRight, .front): .upright
    case (.portrait, _): .clockwise
    case (.landscapeRight, .rear), (.landscapeLeft, .front): .upsideDown
    case (.portraitUpsideDown, _): .counterclockwise
    }
  }
}

/// What a camera writes for each way of holding it.
///
/// | Camera, seen from after | Device, rear | Device, front | Tag | Tag, mirrored |
/// |---|---|---|---|---|
/// | upright | landscapeLeft | landscapeRight | 1 up | 2 upMirrored |
/// | rotated clockwise | portrait | portrait | 6 right | 5 leftMirrored |
/// | upside down | landscapeRight | landscapeLeft | 3 down | 4 downMirrored |
/// | rotated counter-clockwise | portraitUpsideDown | portraitUpsideDown | 8 left | 7 rightMirrored |
extension Orientation {
  /// The orientation of the image that a camera stores when it is held so.
  ///
  /// - Parameters:
  ///   - pose: How it is held.
  ///   - mirrored: Whether the image is to be shown as in a mirror, as front cameras show it.
  public init(_ pose: CameraPose, mirrored: Bool = false) {
    // The image transforms with the camera: it must be transformed the same way to be upright again.
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
