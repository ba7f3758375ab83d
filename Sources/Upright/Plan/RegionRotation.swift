internal import ImageOrientation

/// `mwg-rs:Rotation`, which Lightroom writes: by how much the frame of a region differs from the displayed image, in radians.
///
/// It is 0, −π/2, π or π/2 for the Orientations 1, 6, 3 and 8, plus how much the subject itself leans. Mirrored images have
/// the same values.
struct RegionRotation {
  private let angle: Double
  /// How much the subject leans.
  private let rest: Double
  /// The nearest number of rotations by 90°, 0 to 3.
  private let quarters: Int

  init(_ angle: Double) {
    self.angle = angle
    let count = (angle / (.pi / 2)).rounded()
    rest = angle - count * .pi / 2
    quarters = Int(count) & 3
  }

  /// Returns whether it says that the frame is the stored one, from which the displayed image differs.
  func isRotation(of orientation: OrientationTransform) -> Bool {
    quarters != 0 && fits(orientation)
  }

  private func fits(_ orientation: OrientationTransform) -> Bool {
    switch quarters {
    case 0: !orientation.transposes
    case 2: orientation == .rotate180 || orientation == .flipVertical
    default: orientation.transposes
    }
  }

  /// Returns the rotation in the result, to which a region is moved by a mapping.
  func moved(_ plan: RegionPlan, by geometry: RegionGeometry) -> Double {
    let isThatOfTag = fits(plan.orientation)
    let leaning = isThatOfTag ? rest : angle
    let moved = geometry.transform.mirrors ? -leaning : leaning
    return isThatOfTag ? moved + Self.angle(of: plan.remaining) : moved
  }

  private static func angle(of orientation: OrientationTransform) -> Double {
    switch orientation {
    case .none, .flipHorizontal: 0
    case .rotate90, .transverse: -.pi / 2
    case .rotate180, .flipVertical: .pi
    case .rotate270, .transpose: .pi / 2
    }
  }
}
