internal import ImageOrientation
internal import XMPPacket

/// The crop and the local corrections of Camera Raw, which follow the image.
extension XMPBlock {
  /// Returns the values that describe the transformed image; none if it is cropped.
  func cameraRawValues(_ geometry: RegionGeometry) -> [XMPValue] {
    guard !geometry.clips else { return [] }
    return CameraRawEdits(self).parts.flatMap { part -> [XMPValue] in
      let values = geometry.moved(part)
      return part.properties.compactMap { property in
        let text =
          part.isText
          ? CameraRawEdits.replacing(values, in: property.value) : values[property.name]
        guard let text, text != property.value else { return nil }
        let name = part.isText ? property.path.last?.name ?? "" : property.name
        return XMPValue(property, text, field: "xmp.camera-raw.\(name)")
      }
    }
  }
}

extension RegionGeometry {
  /// Returns the numbers of a part that describe the transformed image.
  fileprivate func moved(_ part: CameraRawEdits.Part) -> [String: String] {
    var values: [String: String] = [:]
    func set(_ x: String, _ y: String, _ place: Region) {
      for (name, number) in [(x, place.x), (y, place.y)] {
        values[name] = part.values[name].map { XMPBlock.text(number, like: $0) }
      }
    }
    let form = part.form
    for (x, y) in form.points {
      if let place = part.place(x, y) { set(x, y, shares(place)) }
    }
    if let (left, top, right, bottom, angle) = form.corners, let first = part.place(left, top),
      let second = part.place(right, bottom)
    {
      let new = corners(first, second, angle: part.number(angle) ?? 0)
      set(left, top, new.first)
      set(right, bottom, new.second)
      if transform.mirrors { values[angle] = part.values[angle]?.negated }
    }
    if let (x, y, lean) = form.axes {
      if transform.transposes { (values[x], values[y]) = (part.values[y], part.values[x]) }
      if transform.mirrorsX != transform.mirrorsY { values[lean] = part.values[lean]?.negated }
    }
    if let (x, y) = form.inner, let place = part.place(x, y) {
      set(x, y, RegionGeometry(of: PixelSize(width: 1, height: 1), transform).shares(place))
    }
    return values
  }

  /// Returns the opposite corners of a rectangle that is rotated clockwise by an angle in degrees.
  private func corners(
    _ first: Region,
    _ second: Region,
    angle: Double
  ) -> (first: Region, second: Region) {
    let center = shares(Region(x: (first.x + second.x) / 2, y: (first.y + second.y) / 2))
    let x = (second.x - first.x) * Double(old.width) / 2
    let y = (second.y - first.y) * Double(old.height) / 2
    // Half the sides, along the axes of the rectangle.
    let axis = Direction(degrees: angle)
    var (p, q) = (axis.x * x + axis.y * y, axis.x * y - axis.y * x)
    if transform.transposes { (p, q) = (q, p) }
    let newAxis = Direction(degrees: transform.mirrors ? -angle : angle)
    let half = (
      x: (newAxis.x * p - newAxis.y * q) / Double(new.width),
      y: (newAxis.y * p + newAxis.x * q) / Double(new.height)
    )
    return (
      Region(x: center.x - half.x, y: center.y - half.y),
      Region(x: center.x + half.x, y: center.y + half.y)
    )
  }
}

extension CameraRawEdits.Part {
  fileprivate func number(_ name: String) -> Double? { values[name].flatMap { Double($0) } }

  fileprivate func place(_ x: String, _ y: String) -> RegionGeometry.Region? {
    guard let x = number(x), let y = number(y) else { return nil }
    return RegionGeometry.Region(x: x, y: y)
  }
}

extension String {
  /// The text of a number with the other sign.
  var negated: String {
    guard Double(self) != 0 else { return self }
    let digits = first == "-" || first == "+" ? String(dropFirst()) : self
    return first == "-" ? digits : "-" + digits
  }
}

/// A unit vector: the cosine and the sine of an angle.
private struct Direction {
  let x: Double
  let y: Double

  init(degrees: Double) {
    let quarters = (degrees / 90).rounded()
    let angle = (degrees - 90 * quarters) * .pi / 180
    // The series of both, for at most 45°.
    var (term, sums) = (1.0, (1.0, 0.0))
    for order in 1...20 {
      term *= angle / Double(order)
      let sign = order & 2 == 0 ? 1.0 : -1
      if order & 1 == 0 { sums.0 += sign * term } else { sums.1 += sign * term }
    }
    let (cosine, sine) = sums
    switch Int(quarters.truncatingRemainder(dividingBy: 4) + 4) & 3 {
    case 0: (x, y) = (cosine, sine)
    case 1: (x, y) = (-sine, cosine)
    case 2: (x, y) = (-cosine, -sine)
    default: (x, y) = (sine, -cosine)
    }
  }
}
