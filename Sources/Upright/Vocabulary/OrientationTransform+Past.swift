package import ImageOrientation

extension OrientationTransform {
  /// What was done, as in `rotated 90° clockwise`.
  package var past: String {
    switch self {
    case .none: "not rotated"
    case .flipHorizontal: "flipped horizontally"
    case .rotate180: "rotated 180°"
    case .flipVertical: "flipped vertically"
    case .transpose: "transposed"
    case .rotate90: "rotated 90° clockwise"
    case .transverse: "transversed"
    case .rotate270: "rotated 90° counter-clockwise"
    }
  }
}
