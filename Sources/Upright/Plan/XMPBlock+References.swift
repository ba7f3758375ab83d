internal import ImageOrientation
internal import XMPPacket

/// Numbers of ``Reference/table`` that follow the image.
extension XMPBlock {
  /// Returns the values that describe the transformed image; none of a number that cannot be read.
  func referenceValues(_ regions: RegionPlan) -> [XMPValue] {
    let geometry = regions.geometry
    return Reference.moving.flatMap { kind, motion, name, namespace -> [XMPValue] in
      func value(_ property: XMPProperty, _ text: String?) -> XMPValue? {
        Self.value(property, text, kind)
      }
      switch motion {
      case .point(let other, let isInPixels):
        guard let x = own(namespace, name).first, let y = own(namespace, "\(other)").first,
          let point = geometry.point(x.value, y.value, isInPixels: isInPixels)
        else { return [] }
        return [
          value(x, Self.text(point.x, like: x.value)), value(y, Self.text(point.y, like: y.value)),
        ].compactMap { $0 }
      case .calibration:
        return own(namespace, name).compactMap {
          value($0, geometry.transform.calibration($0.value))
        }
      case .vector(let other):
        guard let x = own(namespace, name).first, let y = own(namespace, "\(other)").first,
          Double(x.value) != nil, Double(y.value) != nil
        else { return [] }
        let moved = geometry.transform.vector(x.value, y.value)
        return [value(x, moved.x), value(y, moved.y)].compactMap { $0 }
      case .angle, .exifOrientation, .xmpOrientation, .rotation, .layout, .resolution, .aspectRatio,
        .edits:
        return []
      }
    } + angleValues(regions)
  }

  /// Returns the angles in regions that are moved.
  func angleValues(_ regions: RegionPlan) -> [XMPValue] {
    guard let faces = regions.geometry(of: .mwg) else { return [] }
    return Reference.moving.flatMap { kind, motion, name, namespace -> [XMPValue] in
      guard case .angle = motion else { return [] }
      return packet.properties(namespace, name).compactMap {
        Self.value($0, faces.transform.angle($0.value), kind)
      }
    }
  }

  private static func value(
    _ property: XMPProperty,
    _ text: String?,
    _ kind: String
  ) -> XMPValue? {
    guard let text, text != property.value else { return nil }
    return XMPValue(property, text, field: "xmp.\(kind).\(property.name)")
  }
}

extension RegionGeometry {
  /// Returns a point in the transformed image, which may be outside of a part that is cut out.
  fileprivate func point(_ x: String, _ y: String, isInPixels: Bool) -> Region? {
    guard let x = Double(x), let y = Double(y), abs(x) < 1_000_000, abs(y) < 1_000_000 else {
      return nil
    }
    let unclipped = RegionGeometry(transform: transform, old: old, window: window, clips: false)
    let point = Region(x: x, y: y)
    return isInPixels ? unclipped.pixels(point) : unclipped.shares(point)
  }
}

extension OrientationTransform {
  /// Returns a difference of two places.
  fileprivate func vector(_ x: String, _ y: String) -> (x: String, y: String) {
    let (column, row) = transposes ? (y, x) : (x, y)
    return (mirrorsX ? column.negated : column, mirrorsY ? row.negated : row)
  }

  /// Returns an angle in degrees, clockwise from the upward direction, as text.
  fileprivate func angle(_ text: String) -> String? {
    guard let degrees = Double(text), abs(degrees) < 1_000_000 else { return nil }
    var angle = transposes ? 270 - degrees : degrees
    if mirrorsX { angle = -angle }
    if mirrorsY { angle = 180 - angle }
    angle = angle.truncatingRemainder(dividingBy: 360)
    if angle < 0 { angle += 360 }
    return Int(text) == nil ? "\(angle)" : "\(Int(angle))"
  }

  /// Returns the calibration of a lens: a date, and the numbers fx, fy, cx, cy, k1, k2, p1, p2, k3 of OpenCV's model.
  ///
  /// The center counts from that of the image. It and (p2, p1) are vectors, fx and fy belong to the axes, and the other
  /// numbers hold for every direction.
  fileprivate func calibration(_ text: String) -> String? {
    guard let separator = text.lastIndex(of: ";") else { return nil }
    var numbers = text[text.index(after: separator)...].split(
      separator: ",",
      omittingEmptySubsequences: false
    ).map { String($0) }
    guard numbers.count == 9, numbers.allSatisfy({ Double($0) != nil }) else { return nil }
    if transposes {
      for (x, y) in [(0, 1), (2, 3), (7, 6)] { numbers.swapAt(x, y) }
    }
    if mirrorsX { for x in [2, 7] { numbers[x] = numbers[x].negated } }
    if mirrorsY { for y in [3, 6] { numbers[y] = numbers[y].negated } }
    return text[...separator] + numbers.joined(separator: ",")
  }
}
