internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// The frames of two images in which regions may count, and what was done to each.
struct RegionFrames {
  /// The transform that displays the original.
  var orientation: OrientationTransform
  /// From the stored original to the result.
  var stored: OrientationTransform
  /// From the displayed original to the result.
  var shown: OrientationTransform
  /// The sizes of the stored original and of the result, where they are known.
  var oldSize: PixelSize?
  var newSize: PixelSize?
  /// Whether readers of the format know the displayed image only.
  var isShownOnly = false
}

/// Compares the regions in two XMP packets with the same properties: where those of the original are in the result is calculated here,
/// in the frame that the original gives evidence for.
///
/// The regions of one list are one subject: a unit that stays, or a number that a transform keeps, does not mean that a
/// region was kept.
struct RegionComparison {
  /// A list of regions in both packets.
  fileprivate struct List {
    var root: XMPProperty.PathStep
    /// The properties by the structure that they are part of.
    var structures: [[XMPProperty.PathStep]: [(XMPProperty, XMPProperty)]] = [:]
    var isChanged = false

    var isOfWorkingGroup: Bool { root.namespace == XMPNamespace.regions }
  }

  private var lists: [List] = []

  init(_ pairs: [(XMPProperty, XMPProperty)]) {
    var indices: [XMPProperty.PathStep: Int] = [:]
    for (a, b) in pairs where Self.concerns(a) {
      var root = a.path.first ?? XMPProperty.PathStep(namespace: a.namespace, name: a.name)
      root.index = nil
      let index = indices[root] ?? lists.endIndex
      if index == lists.endIndex {
        lists.append(List(root: root))
        indices[root] = index
      }
      lists[index].structures[a.path, default: []].append((a, b))
      if a.value != b.value { lists[index].isChanged = true }
    }
  }

  /// Who defined the lists, by their namespaces.
  private static let origins = [
    XMPNamespace.regions: "MWG",
    "http://ns.microsoft.com/photo/1.2/": "Microsoft", "http://ns.acdsee.com/regions/": "ACDSee",
    XMPNamespace.iptcExtension: "IPTC",
  ]

  /// Returns whether a property is of a region.
  static func concerns(_ property: XMPProperty) -> Bool {
    switch property.namespace {
    case XMPNamespace.area, XMPNamespace.acdseeArea, XMPNamespace.microsoftRegion: true
    case XMPNamespace.regions: property.name == "Rotation" && !property.path.isEmpty
    case XMPNamespace.iptcExtension: property.name.hasPrefix("rb")
    case XMPNamespace.dimensions, XMPNamespace.acdseeDimensions:
      property.path.last?.name == "AppliedToDimensions"
    default: false
    }
  }

  /// Returns what became of an angle in a region of the Metadata Working Group.
  func transformOfAngles(_ frames: RegionFrames) -> OrientationTransform {
    let list = lists.first { $0.isOfWorkingGroup }
    return list?.frame(frames) == .shown ? frames.shown : frames.stored
  }

  /// Returns notes on lists of regions that changed, and on those that do not fit the result, or may not.
  func observations(_ frames: RegionFrames) -> [Observation] {
    var main: [Box] = []
    var observations: [Observation] = []
    for list in lists.filter({ $0.isOfWorkingGroup }) + lists.filter({ !$0.isOfWorkingGroup }) {
      let boxes = list.boxes(frames)
      let name = "regions in XMP (\(Self.origins[list.root.namespace] ?? list.root.name))"
      if list.fits(frames, boxes, beside: main) {
        if list.isOfWorkingGroup { main += boxes.map { $0.new } }
        if list.isChanged {
          observations.append(.note(.regionChanged, "\(name) changed as the image did"))
        }
      } else if list.isChanged {
        let text = "\(name) changed, and it is not certain that they fit the image"
        observations += [.note(.regionChanged, text), .kept(name)]
      } else {
        let text = "\(name) are unchanged and describe the image as it was stored, or may do so"
        observations += [.note(.regionKept, text), .kept(name)]
      }
    }
    return observations
  }

  /// A rectangle or a point as fractions of an image.
  fileprivate struct Box {
    var x: Double
    var y: Double
    var width = 0.0
    var height = 0.0

    func isNear(_ other: Box) -> Bool {
      abs(x - other.x) < 0.001 && abs(y - other.y) < 0.001 && abs(width - other.width) < 0.001
        && abs(height - other.height) < 0.001
    }
  }

  fileprivate enum Frame { case stored, shown }
}

extension RegionComparison.List {
  fileprivate typealias Box = RegionComparison.Box
  fileprivate typealias Places = (old: Box, new: Box, isInPixels: Bool)

  /// Returns the regions in both packets; pixels are taken as fractions of the frame in question.
  fileprivate func boxes(_ frames: RegionFrames) -> [Places] {
    structures.compactMap { path, pairs in
      guard let old = Self.box(pairs.map { $0.0 }), let new = Self.box(pairs.map { $0.1 }) else {
        return nil
      }
      return (old, new, unit(path) == "pixel")
    }
  }

  /// Returns the unit of a boundary of IPTC, which its vertices have, too.
  private func unit(_ path: [XMPProperty.PathStep]) -> String? {
    let outer = path.firstIndex { $0.name == "rbVertices" }.map { Array(path[..<$0]) }
    let pairs = structures[outer ?? path] ?? []
    return pairs.first { $0.0.name == "rbUnit" }?.0.value
  }

  private static func box(_ properties: [XMPProperty]) -> Box? {
    func number(_ name: String) -> Double? {
      properties.last { $0.name == name }.flatMap { Double($0.value) }
    }
    if let rectangle = properties.last(where: { $0.name == "Rectangle" }) {
      let n = rectangle.value.split { $0 == "," || $0 == " " }.compactMap { Double($0) }
      guard n.count == 4 else { return nil }
      return Box(x: n[0] + n[2] / 2, y: n[1] + n[3] / 2, width: n[2], height: n[3])
    }
    if let x = number("x"), let y = number("y") {
      return Box(x: x, y: y, width: number("w") ?? 0, height: number("h") ?? 0)
    }
    guard let x = number("rbX"), let y = number("rbY") else { return nil }
    let (width, height) = (number("rbW") ?? 0, number("rbH") ?? 0)
    return Box(x: x + width / 2, y: y + height / 2, width: width, height: height)
  }

  /// The maximum number of pairs of regions of two lists that are compared.
  private static let maxPairs = 1 << 20

  /// Returns whether the regions of the result fit its image for certain.
  fileprivate func fits(
    _ frames: RegionFrames,
    _ boxes: [Places],
    beside main: [Box]
  ) -> Bool {
    guard !boxes.isEmpty else { return !isChanged }
    let (stored, shown) = (isMoved(boxes, frames, .stored), isMoved(boxes, frames, .shown))
    let isRight: Bool
    switch frame(frames) {
    case .stored?: isRight = stored
    case .shown?: isRight = shown
    // The regions of another list, which fit, show the same faces.
    case nil:
      let isBeside =
        !main.isEmpty && boxes.count <= Self.maxPairs / main.count
        && boxes.allSatisfy { place in
          main.contains { abs($0.x - place.new.x) + abs($0.y - place.new.y) < 0.1 }
        }
      isRight = stored && shown || isBeside && (stored || shown)
    }
    return isRight && hasFittingDimensions(frames) && hasFittingRotation(frames)
  }

  private func isMoved(
    _ boxes: [Places],
    _ frames: RegionFrames,
    _ frame: RegionComparison.Frame
  ) -> Bool {
    let transform = frame == .stored ? frames.stored : frames.shown
    var old = frames.oldSize.map { (Double($0.width), Double($0.height)) } ?? (1, 1)
    if frame == .shown, frames.orientation.transposes { old = (old.1, old.0) }
    let swapped = transform.transposes ? (old.1, old.0) : old
    let new = frames.newSize.map { (Double($0.width), Double($0.height)) } ?? swapped
    return boxes.allSatisfy { place in
      var (before, after) = (place.old, place.new)
      if place.isInPixels {
        guard frames.oldSize != nil else { return false }
        before = Box(
          x: before.x / old.0,
          y: before.y / old.1,
          width: before.width / old.0,
          height: before.height / old.1
        )
        after = Box(
          x: after.x / new.0,
          y: after.y / new.1,
          width: after.width / new.0,
          height: after.height / new.1
        )
      }
      let (x, y) = (before.x * old.0, before.y * old.1)
      let (width, height) = (before.width * old.0, before.height * old.1)
      let moved: (x: Double, y: Double) =
        switch transform {
        case .none: (x, y)
        case .flipHorizontal: (new.0 - x, y)
        case .flipVertical: (x, new.1 - y)
        case .rotate180: (new.0 - x, new.1 - y)
        case .transpose: (y, x)
        case .rotate90: (new.0 - y, x)
        case .rotate270: (y, new.1 - x)
        case .transverse: (new.0 - y, new.1 - x)
        }
      let size = transform.transposes ? (height, width) : (width, height)
      return after.isNear(
        Box(
          x: moved.x / new.0,
          y: moved.y / new.1,
          width: size.0 / new.0,
          height: size.1 / new.1
        )
      )
    }
  }

  // MARK: Evidence

  /// Returns the numbers of a name in both packets.
  private func numbers(_ name: String, in namespaces: [String]) -> [(old: Double, new: Double)] {
    structures.values.joined().compactMap { a, b in
      guard a.name == name, namespaces.contains(a.namespace), let old = Double(a.value),
        let new = Double(b.value)
      else { return nil }
      return (old, new)
    }
  }

  private var dimensions: (old: (Double, Double), new: (Double, Double))? {
    let spaces = [XMPNamespace.dimensions, XMPNamespace.acdseeDimensions]
    guard let width = numbers("w", in: spaces).first, let height = numbers("h", in: spaces).first,
      width.old > 0, height.old > 0
    else { return nil }
    return ((width.old, height.old), (width.new, height.new))
  }

  private func isRotated(_ angle: Double, _ orientation: OrientationTransform) -> Bool {
    let quarters = (2 * angle / .pi).rounded().remainder(dividingBy: 4)
    if orientation.transposes { return abs(quarters) == 1 }
    return abs(quarters) == 2 && (orientation == .rotate180 || orientation == .flipVertical)
  }

  /// Returns the frame in which the original's regions count; nil if nothing shows it.
  fileprivate func frame(_ frames: RegionFrames) -> RegionComparison.Frame? {
    if frames.orientation == .none { return frames.isShownOnly ? .shown : .stored }
    if isOfWorkingGroup, !frames.isShownOnly {
      let rotated = numbers("Rotation", in: [XMPNamespace.regions]).map {
        isRotated($0.old, frames.orientation)
      }
      if !rotated.isEmpty, !rotated.contains(false) { return .stored }
      if rotated.contains(true) { return nil }
    }
    let general: RegionComparison.Frame? =
      isOfWorkingGroup && !frames.isShownOnly ? .stored : nil
    guard let size = dimensions?.old else { return general }
    guard let old = frames.oldSize else { return nil }
    let (width, height) = (Double(old.width), Double(old.height))
    let ratio = size.0 * height / (size.1 * width)
    let swapped = size.0 * width / (size.1 * height)
    guard frames.orientation.transposes, old.width != old.height else {
      return abs(ratio - 1) < 0.03 ? general : nil
    }
    if abs(size.0 - width) < 0.5, abs(size.1 - height) < 0.5 { return .stored }
    if abs(size.0 - height) < 0.5, abs(size.1 - width) < 0.5 { return .shown }
    switch (abs(ratio - 1) < 0.03, abs(swapped - 1) < 0.03) {
    case (true, false): return .stored
    case (false, true): return .shown
    case (true, true): return general
    case (false, false): return nil
    }
  }

  private func hasFittingDimensions(_ frames: RegionFrames) -> Bool {
    guard let (old, new) = dimensions else { return true }
    func isNear(_ a: (Double, Double), _ b: (Double, Double)) -> Bool {
      abs(a.0 - b.0) < 0.5 && abs(a.1 - b.1) < 0.5
    }
    if let size = frames.oldSize, let result = frames.newSize {
      let stored = (Double(size.width), Double(size.height))
      if isNear(old, stored) || isNear(old, (stored.1, stored.0)) {
        return isNear(new, (Double(result.width), Double(result.height)))
      }
      let transposes = frame(frames) == .shown ? frames.shown.transposes : frames.stored.transposes
      let isAlike = (old.0 > old.1) == (stored.0 > stored.1)
      // Those of an image of another size have its proportions.
      let expected = isAlike == transposes ? (old.1, old.0) : old
      return isNear(new, expected) || isNear(new, transposes ? (old.1, old.0) : old)
    }
    let isOfDisplayed =
      frames.orientation.transposes
      && frames.oldSize.map { isNear(old, (Double($0.height), Double($0.width))) } == true
    let transform = isOfDisplayed || frame(frames) == .shown ? frames.shown : frames.stored
    return isNear(new, transform.transposes ? (old.1, old.0) : old)
  }

  private func hasFittingRotation(_ frames: RegionFrames) -> Bool {
    numbers("Rotation", in: [XMPNamespace.regions]).allSatisfy { old, new in
      guard isRotated(old, frames.orientation) else {
        return frames.newSize == nil || abs(abs(old) - abs(new)) < 0.001
      }
      let quarter = Double.pi / 2
      let rest = abs(old.remainder(dividingBy: quarter))
      // In a result that is displayed as it is stored, no rotation is left.
      return frames.newSize == nil
        ? abs(abs(new.remainder(dividingBy: quarter)) - rest) < 0.001
        : abs(abs(new) - rest) < 0.001
    }
  }
}
