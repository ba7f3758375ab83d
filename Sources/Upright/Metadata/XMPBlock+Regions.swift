internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Face and subject regions in XMP, whose coordinates refer to the stored image (specification, section 4).
extension XMPBlock {
  /// Returns the values that transform the regions of the Metadata Working Group, Microsoft and ACDSee with the image.
  func regionValues(_ geometry: RegionGeometry) -> [Value] {
    areaValues(XMPNamespace.area, geometry) + areaValues(XMPNamespace.acdseeArea, geometry)
      + appliedDimensions(geometry) + rectangleValues(geometry)
  }

  /// Returns notes on regions that are kept.
  func regionNotes(follow: Bool) -> [String] {
    let properties = packet.properties
    var notes: [String] = []
    let transformable: Set = [
      XMPNamespace.area, XMPNamespace.acdseeArea, XMPNamespace.microsoftRegion,
    ]
    if !follow, properties.contains(where: { transformable.contains($0.namespace) }) {
      notes.append(
        "face regions are kept and describe the image as it was stored (--regions follow updates them)"
      )
    }
    for name in ["SubjectArea", "SubjectLocation"]
    where properties.contains(where: {
      $0.namespace == XMPNamespace.exif && $0.name == name
        || $0.path.last?.namespace == XMPNamespace.exif && $0.path.last?.name == name
    }) {
      notes.append("\(name) in XMP is kept and describes the image as it was stored")
    }
    if properties.contains(where: {
      $0.namespace == XMPNamespace.iptcExtension && $0.name.hasPrefix("rb")
    }) {
      notes.append("IPTC image regions are kept and describe the image as it was stored")
    }
    return notes
  }

  /// Returns the values of areas given as fractions: x and y of the centre, w and h.
  private func areaValues(_ namespace: String, _ geometry: RegionGeometry) -> [Value] {
    var areas: [[XMPProperty.PathStep]: [String: XMPProperty]] = [:]
    for property in packet.properties where property.namespace == namespace {
      areas[property.path, default: [:]][property.name] = property
    }
    return areas.values.flatMap { area -> [Value] in
      // Other units than fractions are allowed but not used.
      if let unit = area["unit"]?.value, unit != "normalized" { return [] }
      guard let x = area["x"], let y = area["y"], let left = Double(x.value),
        let top = Double(y.value)
      else { return [] }
      var region = RegionGeometry.Region(x: left, y: top)
      var values: [(XMPProperty, Double)] = []
      if let w = area["w"], let h = area["h"], let width = Double(w.value),
        let height = Double(h.value)
      {
        (region.width, region.height) = (width, height)
        region = geometry.shares(region)
        values = [(w, region.width), (h, region.height)]
      } else {
        region = geometry.shares(region)
      }
      values += [(x, region.x), (y, region.y)]
      guard values.allSatisfy({ Self.isSane($0.1) }) else { return [] }
      return values.map {
        Value($0.0, Self.text($0.1, like: $0.0.value), field: "xmp.region.\($0.0.name)")
      }
    }
  }

  /// Returns the values of AppliedToDimensions of the Metadata Working Group.
  private func appliedDimensions(_ geometry: RegionGeometry) -> [Value] {
    let dimensions = packet.properties.filter {
      $0.namespace == XMPNamespace.dimensions
        && $0.path.last?.name == "AppliedToDimensions"
    }
    return dimensions.compactMap { property in
      let isWidth = property.name == "w"
      guard isWidth || property.name == "h", let stored = Int(property.value) else { return nil }
      let (old, new) =
        isWidth
        ? (geometry.old.width, geometry.new.width) : (geometry.old.height, geometry.new.height)
      // Dimensions of another size, as of the image before it was scaled, are swapped.
      let other = dimensions.first { $0.path == property.path && $0.name == (isWidth ? "h" : "w") }
      let value =
        stored == old ? new : geometry.transform.transposes ? other.flatMap { Int($0.value) } : nil
      guard let value, value != stored else { return nil }
      return Value(property, "\(value)", field: "xmp.region.AppliedToDimensions.\(property.name)")
    }
  }

  /// Returns the values of Microsoft's rectangles: `left, top, width, height` as fractions.
  private func rectangleValues(_ geometry: RegionGeometry) -> [Value] {
    packet.properties.filter {
      $0.namespace == XMPNamespace.microsoftRegion && $0.name == "Rectangle"
    }.compactMap { property in
      let parts = property.value.split(separator: ",").map { part in
        String(part.drop { $0 == " " }.prefix { $0 != " " })
      }
      let numbers = parts.compactMap { Double($0) }
      guard parts.count == 4, numbers.count == 4 else { return nil }
      let region = geometry.shares(
        RegionGeometry.Region(
          x: numbers[0] + numbers[2] / 2,
          y: numbers[1] + numbers[3] / 2,
          width: numbers[2],
          height: numbers[3]
        )
      )
      let transformed = [
        region.x - region.width / 2, region.y - region.height / 2, region.width, region.height,
      ]
      guard transformed.allSatisfy(Self.isSane) else { return nil }
      let text = zip(transformed, parts).map { Self.text($0, like: $1) }.joined(separator: ", ")
      return Value(property, text, field: "xmp.region.Rectangle")
    }
  }

  /// Returns whether a fraction is plausible: regions may exceed the image slightly, not a thousandfold.
  private static func isSane(_ share: Double) -> Bool { abs(share) < 1000 }

  /// Returns a number as text with at least as many decimals as `sample`, and at least six.
  private static func text(_ number: Double, like sample: String) -> String {
    let decimals = max(6, sample.split(separator: ".").dropFirst().first?.count ?? 0)
    let scale = (0..<min(decimals, 12)).reduce(1.0) { result, _ in result * 10 }
    let rounded = (number * scale).rounded() / scale
    let text = "\(rounded)"
    guard text.contains("e") else { return text == "-0.0" || text == "0.0" ? "0" : text }
    // Small numbers without an exponent.
    let digits = "\(Int((abs(rounded) * scale).rounded()))"
    let zeros = String(repeating: "0", count: max(0, min(decimals, 12) - digits.count))
    return (rounded < 0 ? "-" : "") + "0." + zeros + digits
  }
}
