internal import ImageOrientation
internal import XMPPacket

/// The check of the crop and the local corrections of Camera Raw: the points that they describe in both images are compared.
struct CameraRawComparison {
  /// The properties of one crop, mask, spot or pupil, before and after.
  private struct Group {
    var old: [String: String]
    var new: [String: String]
    var pairs: [(XMPProperty, XMPProperty)]
  }

  private typealias Place = [XMPProperty.PathStep]

  /// The settings that count, each in its place: those of the image, and those of snapshots.
  private var applied: Set<[XMPProperty.PathStep]> = []
  private var cropped: Set<[XMPProperty.PathStep]> = []

  /// - Parameter properties: Those of the original.
  init(_ properties: [XMPProperty]) {
    var flags: [Place: [String: Bool]] = [[]: [:]]
    for property in properties where property.namespace == XMPNamespace.cameraRaw {
      let place = Self.place(property.path)
      guard property.path.count == place.count else { continue }
      if flags[place, default: [:]][property.name] == nil {
        flags[place, default: [:]][property.name] =
          property.value == "True" || property.value == "true"
      }
    }
    for (place, own) in flags {
      if own["AlreadyApplied"] ?? flags[[]]?["AlreadyApplied"] == true { applied.insert(place) }
      if own["HasCrop"] == true { cropped.insert(place) }
    }
  }

  /// Returns the part of a path that leads to settings.
  private static func place(_ path: Place) -> Place {
    guard path.first?.name == "SavedSettings",
      let end = path.firstIndex(where: { $0.name == "Parameters" })
    else { return [] }
    return Array(path.prefix(through: end))
  }

  /// Returns whether a property has numbers that may follow the image.
  func concerns(_ property: XMPProperty) -> Bool {
    let place = Self.place(property.path)
    guard !applied.contains(place) else { return false }
    let path = property.path.dropFirst(place.count)
    if property.name == "li" {
      return path.count == 1 && Self.texts.contains(path.first?.name ?? "")
        && path.first?.namespace == XMPNamespace.cameraRaw
    }
    guard property.namespace == XMPNamespace.cameraRaw else { return false }
    return path.isEmpty
      ? cropped.contains(place) && Self.crop.contains(property.name)
      : Self.numbers.contains(property.name)
  }

  private static let texts = ["RetouchInfo", "RedEyeInfo"]
  private static let crop = ["CropLeft", "CropTop", "CropRight", "CropBottom", "CropAngle"]
  private static let numbers = [
    "Left", "Top", "Right", "Bottom", "Angle", "ZeroX", "ZeroY", "FullX", "FullY", "X", "Y",
    "SourceX", "OffsetY",
  ]

  /// Returns the first pair of properties of each group whose numbers describe something else, and whether they are the same.
  func differences(
    _ pairs: [(XMPProperty, XMPProperty)],
    _ transform: OrientationTransform,
    _ sizes: (old: PixelSize, new: PixelSize)
  ) -> [(XMPProperty, XMPProperty)] {
    var groups: [Group] = []
    var indices: [[XMPProperty.PathStep]: Int] = [:]
    for (a, b) in pairs where concerns(a) {
      var path = a.path
      if a.name == "li" { path.append(.init(namespace: a.namespace, name: a.name, index: a.index)) }
      let index = indices[path] ?? groups.endIndex
      if index == groups.endIndex {
        groups.append(Group(old: [:], new: [:], pairs: []))
        indices[path] = index
      }
      groups[index].pairs.append((a, b))
      if a.name == "li" {
        groups[index].old = Self.values(a.value)
        groups[index].new = Self.values(b.value)
      } else {
        groups[index].old[a.name] = a.value
        groups[index].new[b.name] = b.value
      }
    }
    return groups.compactMap { group in
      let old = Drawing(group.old, sizes.old)
      let new = Drawing(group.new, sizes.new)
      guard !new.isDrawing(old, after: transform, of: sizes.old) else { return nil }
      return group.pairs.first { $0.0.value != $0.1.value } ?? group.pairs.first
    }
  }

  private static func values(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    for part in text.split(separator: ",") {
      let words = part.split { $0 == " " || $0 == "=" }
      if words.count == 2 { values[String(words[0])] = String(words[1]) }
    }
    return values
  }
}

/// What numbers describe: places in pixels.
private struct Drawing {
  typealias Place = ImagePoint<Double>

  private var points: [Place] = []
  /// The four corners of a rectangle, which have no order.
  private var corners: [Place] = []
  /// A place within a unit square.
  private var inner: Place?
  private var lean = 0.0
  /// The values that no transform changes.
  private var others: [String: String]
  private let tolerance: Double

  init(_ values: [String: String], _ size: PixelSize) {
    let (width, height) = (Double(size.width), Double(size.height))
    tolerance = max(width, height) * 0.00001
    others = values
    func place(_ x: String, _ y: String) -> Place? {
      guard let across = values[x].flatMap({ Double($0) }),
        let down = values[y].flatMap({ Double($0) })
      else { return nil }
      others[x] = nil
      others[y] = nil
      return Place(x: across * width, y: down * height)
    }
    for (x, y) in [
      ("ZeroX", "ZeroY"), ("FullX", "FullY"), ("X", "Y"), ("SourceX", "OffsetY"),
      ("centerX", "centerY"), ("sourceX", "sourceY"), ("x", "y"),
    ] {
      if let place = place(x, y) { points.append(place) }
    }
    for prefix in ["Crop", ""] {
      guard let first = place(prefix + "Left", prefix + "Top"),
        let second = place(prefix + "Right", prefix + "Bottom")
      else { continue }
      let angle = prefix + "Angle"
      corners = Self.corners(first, second, values[angle].flatMap { Double($0) } ?? 0)
      others[angle] = nil
    }
    if let half = place("width", "height"), let center = points.last {
      for (x, y) in [(-1.0, -1.0), (-1, 1), (1, -1), (1, 1)] {
        corners.append(Place(x: center.x + x * half.x, y: center.y + y * half.y))
      }
    }
    inner = place("highlightX", "highlightY").map { Place(x: $0.x / width, y: $0.y / height) }
    lean = values["alpha"].flatMap { Double($0) } ?? 0
    others["alpha"] = nil
  }

  /// Returns the corners of a rectangle of which two opposite ones and the angle of a side are given, in degrees clockwise.
  private static func corners(_ first: Place, _ second: Place, _ angle: Double) -> [Place] {
    // The direction of a side: a small step of the rotation, doubled.
    let step = angle * .pi / 180 / 0x10_0000
    var (x, y) = (1 - step * step / 2, step)
    for _ in 0..<20 { (x, y) = (x * x - y * y, 2 * x * y) }
    let along = (second.x - first.x) * x + (second.y - first.y) * y
    return [
      first, Place(x: first.x + along * x, y: first.y + along * y), second,
      Place(x: second.x - along * x, y: second.y - along * y),
    ]
  }

  /// Returns whether this describes in a transformed image what another one describes in the image.
  func isDrawing(_ old: Drawing, after transform: OrientationTransform, of size: PixelSize) -> Bool
  {
    let matrix = transform.matrix(
      of: ImageSize<Double>(width: Double(size.width), height: Double(size.height))
    )
    func isNear(_ a: Place, _ b: Place, _ tolerance: Double) -> Bool {
      abs(a.x - b.x) <= tolerance && abs(a.y - b.y) <= tolerance
    }
    let unit = transform.matrix(of: ImageSize<Double>(width: 1, height: 1))
    let moved = (
      old.points.map { matrix.applied(to: $0) }, old.corners.map { matrix.applied(to: $0) }
    )
    let sign = (transform.mirrorsX != transform.mirrorsY) ? -1.0 : 1
    return others == old.others && points.count == moved.0.count
      && zip(points, moved.0).allSatisfy { isNear($0, $1, tolerance) }
      && corners.count == moved.1.count
      && moved.1.allSatisfy { corner in corners.contains { isNear($0, corner, tolerance) } }
      && abs(lean - sign * old.lean) < 0.000_001
      && (inner == nil) == (old.inner == nil)
      && (old.inner.map { isNear(unit.applied(to: $0), inner ?? $0, 0.000_01) } ?? true)
  }
}
