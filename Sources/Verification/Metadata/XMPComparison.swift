internal import FileBytes
internal import ImageOrientation
internal import Upright
internal import XMPPacket

/// Compares two XMP packets: properties by value, all other bytes directly, except the padding at the end.
struct XMPComparison {
  let old: XMPBlock
  let new: XMPBlock
  let transform: OrientationTransform
  /// The sizes of the images that the packets describe.
  let sizes: (old: PixelSize, new: PixelSize)
  /// The transform that displays the original.
  var orientation = OrientationTransform.none
  /// Whether Orientation may have any value, because it is compared apart.
  var setsOrientation = false
  /// Whether the dimensions may be those of the original, as in copies that other programs do not read.
  var ignoresDimensions = false
  /// Whether regions are compared apart, because what was done to the image is not yet known.
  var leavesRegions = false

  func compare() -> [Observation] {
    let (mine, theirs) = (old.packet.properties, new.packet.properties)
    guard mine.count == theirs.count,
      zip(mine, theirs).allSatisfy({
        ($0.namespace, $0.name, $0.index, $0.path) == ($1.namespace, $1.name, $1.index, $1.path)
      })
    else { return [rebuilt] }
    var observations: [Observation] = []
    var changed: [(XMPProperty, XMPProperty)] = []
    let cameraRaw = CameraRawComparison(mine)
    let partners = Partners(mine)
    let regions = RegionComparison(Array(zip(mine, theirs)))
    let angles = regions.transformOfAngles(frames)
    for (a, b) in zip(mine, theirs) {
      if !cameraRaw.concerns(a) { observations += check(a, b, partners, angles) }
      guard a.value != b.value else { continue }
      changed.append((a, b))
      observations.append(
        .difference(
          "xmp." + Self.name(a),
          place(a, in: old),
          place(b, in: new),
          old: a.value,
          new: b.value
        )
      )
    }
    observations += subjects(Array(zip(mine, theirs)))
    if !leavesRegions { observations += regions.observations(frames) }
    observations += cameraRaw.differences(Array(zip(mine, theirs)), transform, sizes).flatMap {
      change($0, $1).map { [$0] } ?? kept($1)
    }
    let rest = (
      Rest(old.packet, changed.map { $0.0.valueRange }),
      Rest(new.packet, changed.map { $0.1.valueRange })
    )
    guard rest.0.text != rest.1.text || !rest.0.hasPadding(like: rest.1) else {
      return observations
    }
    let same = zip(rest.0.text, rest.1.text).prefix { $0 == $1 }.count
    return observations + [
      .finding(
        .xmpBytesChanged,
        "the XMP packet differs in more than its values",
        original: old.start + min(same, old.packet.bytes.count),
        result: new.start + min(same, new.packet.bytes.count)
      )
    ]
  }

  private var frames: RegionFrames {
    RegionFrames(
      orientation: orientation,
      stored: transform,
      shown: orientation.inverse.then(transform),
      oldSize: sizes.old,
      newSize: sizes.new
    )
  }

  func place(_ property: XMPProperty, in block: XMPBlock) -> Range<Int> {
    block.start + property.valueRange.lowerBound..<block.start + property.valueRange.upperBound
  }

  private func check(
    _ a: XMPProperty,
    _ b: XMPProperty,
    _ partners: Partners,
    _ angles: OrientationTransform
  ) -> [Observation] {
    if !RegionComparison.concerns(a), let motion = Self.motion(a) {
      return check(a, b, partners[a], following: motion, angles)
    }
    return checkValue(a, b, partners).map { [$0] } ?? []
  }

  private func checkValue(
    _ a: XMPProperty,
    _ b: XMPProperty,
    _ partners: Partners
  ) -> Observation? {
    let isOwn = a.path.isEmpty && a.index == nil
    return switch (a.namespace, a.name) {
    case (XMPNamespace.tiff, "Orientation") where isOwn:
      // A stale value is a finding about the whole file.
      b.value == "1" || setsOrientation ? nil : change(a, b)
    case (XMPNamespace.photoMechanic, "Rotation") where isOwn: b.value == "0" ? nil : change(a, b)
    // Whether extended XMP has this digest is a finding about the whole file.
    case (XMPNamespace.note, "HasExtendedXMP") where isOwn && b.value.utf8.count == 32: nil
    case (XMPNamespace.exif, "PixelXDimension") where isOwn,
      (XMPNamespace.tiff, "ImageWidth") where isOwn:
      checkSize(a, b, partners[a], sizes.old.width, sizes.new.width)
    case (XMPNamespace.exif, "PixelYDimension") where isOwn,
      (XMPNamespace.tiff, "ImageLength") where isOwn:
      checkSize(a, b, partners[a], sizes.old.height, sizes.new.height)
    case (XMPNamespace.containerItem, "Length"): nil  // held against the images after
    // Held against each other after all properties.
    case _ where RegionComparison.concerns(a) || Self.isSubject(a): nil
    default: change(a, b)
    }
  }

  private func checkSize(
    _ a: XMPProperty,
    _ b: XMPProperty,
    _ other: XMPProperty?,
    _ before: Int,
    _ after: Int
  ) -> Observation? {
    if ignoresDimensions, a.value == b.value { return nil }
    guard let value = Self.length(b.value) else { return change(a, b) }
    if value == after || a.value == b.value && Self.length(a.value) != before { return nil }
    if transform.transposes, a.value != b.value, value == other.flatMap({ Self.length($0.value) }) {
      return nil
    }
    return .finding(
      .xmpDimensionsStale,
      "\(a.name) in XMP is \(b.value), but the image is \(sizes.new.width)×\(sizes.new.height)",
      original: place(a, in: old).lowerBound,
      result: place(b, in: new).lowerBound
    )
  }

  /// Returns the length that a text gives, which programs also write as a decimal with an error of rounding.
  private static func length(_ text: String) -> Int? {
    if let number = Int(text) { return number }
    guard let number = Double(text), (0..<1e9).contains(number) else { return nil }
    let nearest = Int(number + 0.5)
    return abs(number - Double(nearest)) < 0.001 ? nearest : nil
  }

  /// Returns the finding on a property that must not change, if it changed.
  func change(_ a: XMPProperty, _ b: XMPProperty) -> Observation? {
    guard a.value != b.value else { return nil }
    return .finding(
      .xmpPropertyChanged,
      "\(a.label) in XMP changed from \u{201C}\(a.value.prefix(60))\u{201D} to \u{201C}\(b.value.prefix(60))\u{201D}",
      original: place(a, in: old).lowerBound,
      result: place(b, in: new).lowerBound
    )
  }

  private var rebuilt: Observation {
    func keys(_ block: XMPBlock) -> Set<XMPProperty> {
      Set(
        block.packet.properties.map {
          var property = $0
          (property.valueRange, property.form) = (0..<0, .element)
          return property
        }
      )
    }
    let lost = keys(old).subtracting(keys(new)).map { $0.name }.alphabetical { $0 }
    return .finding(
      .xmpRebuilt,
      "the XMP packet was rebuilt"
        + (lost.isEmpty
          ? "" : "; missing or changed: " + lost.prefix(12).joined(separator: ", ")),
      original: old.start,
      result: new.start
    )
  }

  private static func name(_ property: XMPProperty) -> String {
    let prefix =
      switch property.namespace {
      case XMPNamespace.tiff: "tiff."
      case XMPNamespace.exif: "exif."
      case _ where isSubject(property): "exif."
      case XMPNamespace.containerItem: "container."
      case XMPNamespace.note: "note."
      case XMPNamespace.photoMechanic: "photomechanic."
      case _ where motion(property) != nil: ""
      case _ where property.path.first?.namespace == XMPNamespace.cameraRaw: "camera-raw."
      case XMPNamespace.cameraRaw: "camera-raw."
      default: "region."
      }
    return prefix + property.label
  }
}

/// The properties that give the other of two coordinates or dimensions.
private struct Partners {
  private struct Name: Hashable {
    var namespace: String
    var name: String
    var path: [XMPProperty.PathStep]
  }

  private var properties: [Name: XMPProperty] = [:]

  private static let names = [
    ("PixelXDimension", "PixelYDimension"), ("ImageWidth", "ImageLength"),
    ("FocalPointX", "FocalPointY"), ("CalibratedOpticalCenterX", "CalibratedOpticalCenterY"),
    ("RelativeOpticalCenterX", "RelativeOpticalCenterY"),
  ]

  init(_ properties: [XMPProperty]) {
    // The first of each name counts.
    for property in properties.reversed() where Self.other(property.name) != nil {
      self.properties[Self.name(of: property, as: property.name)] = property
    }
  }

  subscript(property: XMPProperty) -> XMPProperty? {
    Self.other(property.name).flatMap { properties[Self.name(of: property, as: $0)] }
  }

  private static func other(_ name: String) -> String? {
    for (x, y) in names {
      if name == x { return y }
      if name == y { return x }
    }
    return nil
  }

  private static func name(of property: XMPProperty, as name: String) -> Name {
    Name(namespace: property.namespace, name: name, path: property.path)
  }
}

/// A packet without some of its values: its text, and the white space at the end of each document.
///
/// A document ends with the end tag of the packet's first element or with `<?xpacket end`, of which either may be damaged.
private struct Rest {
  private(set) var text: [UInt8] = []
  private var paddings: [[UInt8]] = []

  init(_ packet: XMPPacket, _ values: [Range<Int>]) {
    let (bytes, end) = (Self.bytes(of: packet, without: values), Array("<?xpacket end".utf8))
    let endTag = Self.firstEndTag(in: bytes)
    var position = 0
    while true {
      let spaces = bytes[position...].prefix { [0x20, 0x0A, 0x0D, 0x09, 0].contains($0) }
      let next = bytes[spaces.endIndex...]
      if next.isEmpty || next.starts(with: end)
        || text.last == UInt8(ascii: ">") && text.suffix(endTag.count) == endTag[...]
      {
        paddings.append(Array(spaces))
      } else {
        text += spaces
      }
      guard let byte = next.first else { break }
      text.append(byte)
      position = next.startIndex + 1
    }
  }

  private static func bytes(of packet: XMPPacket, without values: [Range<Int>]) -> [UInt8] {
    var bytes: [UInt8] = []
    var position = 0
    for value in values.inFileOrder({ $0 })
    where value.lowerBound >= position {
      bytes += packet.bytes[position..<value.lowerBound]
      position = value.upperBound
    }
    return bytes + packet.bytes[position...]
  }

  private static func firstEndTag(in bytes: [UInt8]) -> [UInt8] {
    let start = zip(bytes, bytes.dropFirst()).enumerated().first {
      $0.element.0 == UInt8(ascii: "<")
        && ![UInt8(ascii: "?"), UInt8(ascii: "!")].contains($0.element.1)
    }
    let name = bytes.dropFirst((start?.offset ?? bytes.count) + 1).prefix {
      ![0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: "/"), UInt8(ascii: ">")].contains($0)
    }
    var result = Array("</".utf8)
    result += name
    result.append(UInt8(ascii: ">"))
    return result
  }

  /// Returns whether the padding is the same except for removed or added white space.
  func hasPadding(like other: Rest) -> Bool {
    paddings.count == other.paddings.count
      && zip(paddings, other.paddings).allSatisfy { a, b in
        let (shorter, longer) = a.count < b.count ? (a, b) : (b, a)
        let prefix = zip(shorter, longer).prefix { $0 == $1 }.count
        let suffix = zip(shorter.reversed(), longer.reversed()).prefix { $0 == $1 }.count
        guard prefix + suffix >= shorter.count else { return false }
        let added = longer[prefix..<prefix + longer.count - shorter.count]
        return added.allSatisfy { $0 == 0x20 || $0 == 0x0A }
      }
  }
}

extension XMPProperty {
  /// The name; that of the array for an item.
  var label: String { name == "li" ? path.last?.name ?? name : name }
}
