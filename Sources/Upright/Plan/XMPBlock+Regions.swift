internal import ImageOrientation
internal import XMPPacket

/// Face and subject regions in XMP (specification, section 4).
extension XMPBlock {
  func regionValues(_ plan: RegionPlan) -> [XMPValue] {
    var values: [XMPValue] = []
    for kind in [RegionDecision.Kind.mwg, .acdsee] {
      guard let geometry = plan.geometry(of: kind) else { continue }
      values += areaValues(kind, geometry)
      if let applied = plan.geometryOfDimensions(kind) {
        values += appliedDimensionValues(kind, applied)
      }
      if kind == .mwg { values += rotationValues(plan, geometry) }
    }
    if let geometry = plan.geometry(of: .microsoft) { values += rectangleValues(geometry) }
    if let geometry = plan.geometry(of: .iptc) { values += boundaryValues(geometry) }
    if let geometry = plan.geometry(of: .xmpSubject) { values += subjectValues(geometry) ?? [] }
    return values
  }

  func hasRegions(_ kind: RegionDecision.Kind) -> Bool {
    packet.properties.contains { property in
      switch kind {
      case .mwg, .acdsee: property.namespace == kind.areas?.namespace
      case .microsoft:
        property.namespace == XMPNamespace.microsoftRegion && property.name == "Rectangle"
      case .iptc:
        property.namespace == XMPNamespace.iptcExtension && property.name.hasPrefix("rb")
      case .subject, .xmpSubject: false
      }
    }
  }

  /// Returns the dimensions of the image that regions of a kind say they apply to.
  func appliedDimensions(_ kind: RegionDecision.Kind) -> StatedSize? {
    let dimensions = dimensionProperties(kind)
    func value(_ name: String) -> Int64? {
      dimensions.first { $0.name == name }.flatMap { Self.whole($0.value) }
    }
    guard let width = value("w"), let height = value("h"), width > 0, height > 0 else { return nil }
    return StatedSize(width: width, height: height)
  }

  private func dimensionProperties(_ kind: RegionDecision.Kind) -> [XMPProperty] {
    packet.properties.filter {
      $0.namespace == kind.areas?.dimensions && $0.path.last?.name == "AppliedToDimensions"
    }
  }

  /// Returns the regions of a kind as fractions of an image of this size.
  func regions(_ kind: RegionDecision.Kind, _ size: PixelSize) -> [RegionGeometry.Region] {
    switch kind {
    case .mwg, .acdsee: areas(kind).map { $0.region }
    case .microsoft: rectangles.map { $0.region }
    case .iptc: boundaryRegions(size)
    case .subject, .xmpSubject: []
    }
  }

  /// Returns properties by the structure that they are part of; the last of each name.
  private func structures(
    _ properties: [XMPProperty]
  ) -> [[XMPProperty.PathStep]: [String: XMPProperty]] {
    var structures: [[XMPProperty.PathStep]: [String: XMPProperty]] = [:]
    for property in properties {
      structures[property.path, default: [:]][property.name] = property
    }
    return structures
  }

  // MARK: Areas of the Metadata Working Group and ACDSee

  /// An area given as fractions: x and y of the centre, w and h.
  private typealias Area = (properties: [String: XMPProperty], region: RegionGeometry.Region)

  private func areas(_ kind: RegionDecision.Kind) -> [Area] {
    let areas = packet.properties.filter { $0.namespace == kind.areas?.namespace }
    return structures(areas).values.compactMap { area in
      // Other units than fractions are allowed but not used.
      if let unit = area["unit"]?.value, unit != "normalized" { return nil }
      func number(_ name: String) -> Double? { area[name].flatMap { Double($0.value) } }
      guard let x = number("x"), let y = number("y") else { return nil }
      var region = RegionGeometry.Region(x: x, y: y)
      if let width = number("w"), let height = number("h") {
        (region.width, region.height) = (width, height)
      }
      return (area, region)
    }
  }

  private func areaValues(
    _ kind: RegionDecision.Kind,
    _ geometry: RegionGeometry
  ) -> [XMPValue] {
    areas(kind).flatMap { area -> [XMPValue] in
      let new = geometry.shares(area.region)
      var numbers = ["x": new.x, "y": new.y]
      if area.properties["w"] != nil, area.properties["h"] != nil {
        (numbers["w"], numbers["h"]) = (new.width, new.height)
      }
      return values(numbers, area.properties, "xmp.region")
    }
  }

  /// Returns the values that give structure members new numbers; none if a number is not plausible.
  private func values(
    _ numbers: [String: Double],
    _ properties: [String: XMPProperty],
    _ field: String
  ) -> [XMPValue] {
    guard numbers.values.allSatisfy(Self.isSane) else { return [] }
    return numbers.compactMap { name, number in
      properties[name].map {
        XMPValue($0, Self.text(number, like: $0.value), field: "\(field).\(name)")
      }
    }
  }

  private func appliedDimensionValues(
    _ kind: RegionDecision.Kind,
    _ geometry: RegionGeometry
  ) -> [XMPValue] {
    let dimensions = dimensionProperties(kind)
    // The first of each name in a structure.
    let structures = structures(dimensions.reversed())
    let (before, after) = (StatedSize(geometry.old), StatedSize(geometry.new))
    return dimensions.compactMap { property in
      let isWidth = property.name == "w"
      guard isWidth || property.name == "h", let stored = Self.whole(property.value) else {
        return nil
      }
      let (old, new) = isWidth ? (before.width, after.width) : (before.height, after.height)
      // Dimensions of another size, as of the image before it was scaled, are swapped.
      let other = structures[property.path]?[isWidth ? "h" : "w"]
      let value =
        stored == old
        ? new : geometry.transform.transposes ? other.flatMap { Self.whole($0.value) } : nil
      guard let value, value != stored else { return nil }
      return XMPValue(
        property,
        "\(value)",
        field: "xmp.region.AppliedToDimensions.\(property.name)"
      )
    }
  }

  /// Returns the whole number that a text gives, which may be off by an error of rounding.
  static func whole(_ text: String) -> Int64? {
    if let number = Int64(text) { return number }
    guard let number = Double(text), abs(number) < 1_000_000_000,
      abs(number.rounded() - number) < 0.001
    else { return nil }
    return Int64(number.rounded())
  }

  // MARK: Rotations of Lightroom

  private var rotationProperties: [XMPProperty] {
    packet.properties(XMPNamespace.regions, "Rotation").filter { !$0.path.isEmpty }
  }

  /// The rotations of regions, in radians.
  var regionRotations: [Double] {
    rotationProperties.compactMap { Double($0.value) }.filter(Self.isSane)
  }

  private func rotationValues(_ plan: RegionPlan, _ geometry: RegionGeometry) -> [XMPValue] {
    rotationProperties.compactMap { property in
      guard let angle = Double(property.value), Self.isSane(angle) else { return nil }
      let new = RegionRotation(angle).moved(plan, by: geometry)
      guard abs(new - angle) > 0.000_001 else { return nil }
      let text = Self.text(new, decimals: 5)
      return XMPValue(property, text, field: "xmp.region.Rotation")
    }
  }

  // MARK: Rectangles of Microsoft

  /// A rectangle `left, top, width, height` as fractions, with the text of each number.
  private typealias Rectangle = (
    property: XMPProperty, parts: [String], region: RegionGeometry.Region
  )

  private var rectangles: [Rectangle] {
    packet.properties(XMPNamespace.microsoftRegion, "Rectangle").compactMap { property in
      let parts = property.value.split(separator: ",").map { part in
        String(part.drop { $0 == " " }.prefix { $0 != " " })
      }
      let numbers = parts.compactMap { Double($0) }
      guard parts.count == 4, numbers.count == 4 else { return nil }
      let region = RegionGeometry.Region(
        left: numbers[0],
        top: numbers[1],
        width: numbers[2],
        height: numbers[3]
      )
      return (property, parts, region)
    }
  }

  private func rectangleValues(_ geometry: RegionGeometry) -> [XMPValue] {
    rectangles.compactMap { property, parts, old in
      let region = geometry.shares(old)
      let transformed = [region.left, region.top, region.width, region.height]
      guard transformed.allSatisfy(Self.isSane) else { return nil }
      let text = zip(transformed, parts).map { Self.text($0, like: $1) }.joined(separator: ", ")
      return XMPValue(property, text, field: "xmp.region.Rectangle")
    }
  }

  // MARK: Boundaries of IPTC

  /// A boundary (IPTC Photo Metadata Standard, Region Boundary): a rectangle from its top left corner, a circle, or a
  /// vertex of a polygon; in pixels or as fractions.
  private struct Boundary {
    var path: [XMPProperty.PathStep]
    var properties: [String: XMPProperty]
    var isInPixels: Bool

    func number(_ name: String) -> Double? { properties[name].flatMap { Double($0.value) } }

    /// Returns the boundary as fractions of an image of this size; nil for vertices.
    func region(_ size: PixelSize) -> RegionGeometry.Region? {
      guard let x = number("rbX"), let y = number("rbY"), size.width > 0, size.height > 0 else {
        return nil
      }
      var region = RegionGeometry.Region(x: x, y: y)
      if let width = number("rbW"), let height = number("rbH") {
        region = RegionGeometry.Region(left: x, top: y, width: width, height: height)
      }
      return isInPixels ? region.shares(of: size) : region
    }
  }

  private var boundaries: [Boundary] {
    let structures = structures(
      packet.properties.filter {
        $0.namespace == XMPNamespace.iptcExtension && $0.name.hasPrefix("rb")
      }
    )
    return structures.map { path, properties in
      // The unit of a vertex is that of the boundary around it.
      let outer = path.firstIndex { $0.name == "rbVertices" }.map { Array(path[..<$0]) }
      let unit = properties["rbUnit"] ?? outer.flatMap { structures[$0]?["rbUnit"] }
      return Boundary(path: path, properties: properties, isInPixels: unit?.value == "pixel")
    }
  }

  /// Returns the boundaries as fractions of an image of this size; for a polygon, the rectangle around it.
  private func boundaryRegions(_ size: PixelSize) -> [RegionGeometry.Region] {
    var regions: [RegionGeometry.Region] = []
    var polygons: [[XMPProperty.PathStep]: [RegionGeometry.Region]] = [:]
    for boundary in boundaries {
      guard let region = boundary.region(size) else { continue }
      if let place = boundary.path.firstIndex(where: { $0.name == "rbVertices" }) {
        polygons[Array(boundary.path[..<place]), default: []].append(region)
      } else {
        regions.append(region)
      }
    }
    for vertices in polygons.values {
      let (across, down) = (vertices.map { $0.x }, vertices.map { $0.y })
      guard let minX = across.min(), let maxX = across.max(), let minY = down.min(),
        let maxY = down.max()
      else { continue }
      regions.append(
        RegionGeometry.Region(
          x: (minX + maxX) / 2,
          y: (minY + maxY) / 2,
          width: maxX - minX,
          height: maxY - minY
        )
      )
    }
    return regions
  }

  private func boundaryValues(_ geometry: RegionGeometry) -> [XMPValue] {
    let (old, new) = (geometry.old, geometry.new)
    return boundaries.flatMap { boundary -> [XMPValue] in
      guard let region = boundary.region(old).map({ geometry.shares($0) }) else { return [] }
      let scale = boundary.isInPixels ? (Double(new.width), Double(new.height)) : (1, 1)
      var numbers = ["rbX": region.x * scale.0, "rbY": region.y * scale.1]
      if boundary.number("rbW") != nil, boundary.number("rbH") != nil {
        (numbers["rbX"], numbers["rbY"]) = (region.left * scale.0, region.top * scale.1)
        (numbers["rbW"], numbers["rbH"]) = (region.width * scale.0, region.height * scale.1)
      }
      // As a fraction, a radius is one of the width.
      if let radius = boundary.number("rbRx"), !boundary.isInPixels {
        numbers["rbRx"] = radius * Double(old.width) / Double(new.width)
      }
      return values(numbers, boundary.properties, "xmp.region")
    }
  }

  // MARK: Numbers

  /// Returns whether a number is plausible: regions may exceed the image slightly, not a thousandfold.
  private static func isSane(_ number: Double) -> Bool { abs(number) < 1_000_000 }

  /// Returns a number as text with at least as many decimals as `sample`, and at least six.
  static func text(_ number: Double, like sample: String) -> String {
    text(number, decimals: max(6, sample.split(separator: ".").dropFirst().first?.count ?? 0))
  }

  /// Returns a number as text with as many decimals, at most twelve.
  static func text(_ number: Double, decimals: Int) -> String {
    let scale = (0..<min(decimals, 12)).reduce(1.0) { result, _ in result * 10 }
    let rounded = (number * scale).rounded() / scale
    let text = "\(rounded)"
    // Small numbers are written without an exponent.
    guard text.contains("e"), abs(rounded) < 1 else {
      return text == "-0.0" || text == "0.0" ? "0" : text
    }
    let digits = "\(Int((abs(rounded) * scale).rounded()))"
    let zeros = String(repeating: "0", count: max(0, min(decimals, 12) - digits.count))
    return (rounded < 0 ? "-" : "") + "0." + zeros + digits
  }
}

extension RegionDecision.Kind {
  /// The namespaces of areas given as fractions, and of the dimensions that they apply to; nil for another form of regions.
  fileprivate var areas: (namespace: String, dimensions: String)? {
    switch self {
    case .mwg: (XMPNamespace.area, XMPNamespace.dimensions)
    case .acdsee: (XMPNamespace.acdseeArea, XMPNamespace.acdseeDimensions)
    case .microsoft, .iptc, .subject, .xmpSubject: nil
    }
  }
}
