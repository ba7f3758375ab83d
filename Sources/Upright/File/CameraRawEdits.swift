internal import XMPPacket

/// The crop and the local corrections of Camera Raw in an XMP packet, which Lightroom, Bridge and darktable apply to the
/// stored image.
///
/// Positions are fractions of its width and height, without regard to Orientation. Four numbers are opposite corners of a
/// rectangle that is rotated clockwise around its center by the angle; radii are fractions of the longer side. This was
/// measured with exports of Lightroom Classic and renditions of Camera Raw. What else a correction may have, such as strokes
/// of a brush and masks that are bitmaps, is not described publicly.
struct CameraRawEdits {
  /// One crop, mask, spot or pupil.
  struct Part {
    let form: Form
    /// The values by name.
    let values: [String: String]
    /// The properties of the values; for a text with several values, that text.
    let properties: [XMPProperty]
    /// Whether the values are parts of one text.
    let isText: Bool
  }

  /// The numbers of a part that depend on the axes of the image.
  struct Form {
    var points: [(x: String, y: String)] = []
    /// Left, top, right and bottom, and the angle.
    var corners: (left: String, top: String, right: String, bottom: String, angle: String)?
    /// Half the axes of an ellipse, as fractions of width and height, and how much it leans.
    var axes: (x: String, y: String, lean: String)?
    /// A point within an ellipse, as fractions of its width and height.
    var inner: (x: String, y: String)?
    /// Names of which a part has all.
    var required: [String] = []
  }

  private(set) var parts: [Part] = []
  /// Whether a correction is not of a form that is described publicly.
  private(set) var hasUnknown = false
  /// Whether the perspective is corrected, by one of the automatic modes (Upright) or by amounts, whose directions are those
  /// of the stored image.
  private(set) var hasPerspective = false

  private let namespace: String

  init(_ block: XMPBlock, in namespace: String = XMPNamespace.cameraRaw) {
    self.namespace = namespace
    // The settings of the image, and those of snapshots, which can be applied later.
    var settings: [[XMPProperty.PathStep]: [XMPProperty]] = [[]: []]
    for property in block.packet.properties where property.namespace == namespace {
      let scope = Self.scope(of: property.path)
      if property.path.count == scope.count { settings[scope, default: []].append(property) }
    }
    let general = Self.values(of: settings[[]] ?? [])["AlreadyApplied"]
    var applied: Set<[XMPProperty.PathStep]> = []
    for (scope, properties) in settings {
      let values = Self.values(of: properties)
      if Self.isTrue(values["AlreadyApplied"] ?? general) {
        applied.insert(scope)
      } else {
        readCrop(properties, values)
        readPerspective(values)
      }
    }
    var structures: [[XMPProperty.PathStep]: [XMPProperty]] = [:]
    for property in block.packet.properties {
      let scope = Self.scope(of: property.path)
      guard !applied.contains(scope) else { continue }
      let path = property.path.dropFirst(scope.count)
      if let list = path.first(where: { isList($0.namespace, $0.name) }) {
        if property.name == "li", property.path.last == list {
          read([property], Self.texts[list.name], Self.values(of: property.value), isText: true)
        } else if property.name == "li" {
          if !Self.curves.contains(property.path.last?.name ?? "") { hasUnknown = true }
        } else {
          structures[property.path, default: []].append(property)
        }
      } else if isList(property.namespace, property.name), !property.value.isEmpty {
        hasUnknown = true
      } else if path.first?.name == "LensBlur", Self.isDirected(property) {
        hasUnknown = true
      }
    }
    for (path, properties) in structures {
      let values = Self.values(of: properties)
      read(properties, Self.form(path, values), values)
    }
  }

  /// Returns the place of the settings that a property with a path is part of: a snapshot, or the packet itself.
  private static func scope(of path: [XMPProperty.PathStep]) -> [XMPProperty.PathStep] {
    let last = path.lastIndex {
      $0.namespace == XMPNamespace.cameraRawSnapshots && $0.name == "Parameters"
    }
    return last.map { Array(path[...$0]) } ?? []
  }

  private static func isTrue(_ value: String?) -> Bool {
    ["True", "true", "TRUE"].contains(value)
  }

  /// Returns whether a setting of the lens blur has a place or a direction: a part of the image other than its center, or a
  /// shape that is not symmetric.
  private static func isDirected(_ property: XMPProperty) -> Bool {
    switch property.name {
    case "SampledArea":
      property.value.split(separator: " ").contains { ![0, 0.5].contains(Double($0)) }
    case "BokehRotation", "BokehAspect": Double(property.value) != 0
    default: false
    }
  }

  /// Whether the packet has a crop or a correction.
  var isEmpty: Bool { parts.isEmpty && !hasUnknown }

  private mutating func read(
    _ properties: [XMPProperty],
    _ form: Form?,
    _ values: [String: String],
    isText: Bool = false
  ) {
    guard let form, form.fits(values) else {
      hasUnknown = true
      return
    }
    parts.append(Part(form: form, values: values, properties: properties, isText: isText))
  }

  // MARK: Crop

  private mutating func readCrop(_ settings: [XMPProperty], _ all: [String: String]) {
    guard Self.isTrue(all["HasCrop"]) else { return }
    let names = ["CropLeft", "CropTop", "CropRight", "CropBottom", "CropAngle"]
    let properties = names.compactMap { name in settings.first { $0.name == name } }
    let values = Self.values(of: properties)
    // A crop of the whole image changes nothing.
    let whole = [0, 0, 1, 1, 0.0]
    guard !zip(names, whole).allSatisfy({ Double(values[$0] ?? "\($1)") == $1 }) else { return }
    // Whether the size of the result, which old versions give, is that of the displayed image is not described.
    guard all["CropWidth"] == nil else {
      hasUnknown = true
      return
    }
    read(properties, Self.crop, values)
  }

  /// `UprightTransform_N` is applied in mode N only, and the scale has no direction.
  private mutating func readPerspective(_ values: [String: String]) {
    for name in ["Upright", "Vertical", "Horizontal", "Rotate", "Aspect", "X", "Y"] {
      if let value = values["Perspective\(name)"], Double(value) != 0 { hasPerspective = true }
    }
  }

  private static let crop = Form(
    corners: ("CropLeft", "CropTop", "CropRight", "CropBottom", "CropAngle"),
    required: ["CropLeft", "CropTop", "CropRight", "CropBottom"]
  )

  // MARK: Corrections

  private func isList(_ namespace: String, _ name: String) -> Bool {
    namespace == self.namespace && (Self.lists.contains(name) || name.hasSuffix("BasedCorrections"))
  }

  private static let lists: Set<String> = ["RetouchInfo", "RetouchAreas", "RedEyeInfo"]

  private static let curves: Set<String> = ["MainCurve", "RedCurve", "GreenCurve", "BlueCurve"]

  /// The forms of texts, such as `centerX = 0.5, centerY = 0.25, radius = 0.01`.
  private static let texts: [String: Form] = [
    "RetouchInfo": Form(
      points: [("centerX", "centerY"), ("sourceX", "sourceY")],
      required: ["centerX", "centerY"]
    ),
    "RedEyeInfo": Form(
      points: [("x", "y"), ("centerX", "centerY")],
      axes: ("width", "height", "alpha"),
      inner: ("highlightX", "highlightY")
    ),
  ]

  /// The forms of structures by their `What`.
  private static let structures: [String: Form] = [
    "Correction": Form(),
    "Mask/Gradient": Form(
      points: [("ZeroX", "ZeroY"), ("FullX", "FullY")],
      required: ["ZeroX", "ZeroY", "FullX", "FullY"]
    ),
    "Mask/CircularGradient": Form(
      corners: ("Left", "Top", "Right", "Bottom", "Angle"),
      required: ["Left", "Top", "Right", "Bottom"]
    ),
    "Mask/Ellipse": Form(points: [("X", "Y")], required: ["X", "Y", "SizeX", "SizeY"]),
    "Mask/Circle": Form(points: [("X", "Y")], required: ["X", "Y"]),
    "Mask/RangeMask": Form(),
  ]

  /// Returns the form of a structure, or nil if it is not known.
  private static func form(_ path: [XMPProperty.PathStep], _ values: [String: String]) -> Form? {
    if let what = values["What"] {
      // Only circles have a size that does not depend on the axes.
      guard values["SizeX"] == values["SizeY"], Double(values["Alpha"] ?? "0") == 0 else {
        return nil
      }
      return structures[what]
    }
    switch path.dropLast(path.last?.name == "li" ? 1 : 0).last?.name {
    // The name of the second number is that of old versions; both are the position of the source.
    case "RetouchAreas" where ["heal", "clone"].contains(values["SpotType"] ?? "heal"):
      return Form(points: [("SourceX", "OffsetY")])
    // By luminance; by color, samples have positions.
    case "CorrectionRangeMask" where ["0", "2"].contains(values["Type"]): return Form()
    default: return nil
    }
  }

  // MARK: Texts

  /// Returns the values of properties by their names, of which the first counts.
  private static func values(of properties: [XMPProperty]) -> [String: String] {
    // Embedded Swift cannot make a dictionary of pairs.
    var values: [String: String] = [:]
    for property in properties where values[property.name] == nil {
      values[property.name] = property.value
    }
    return values
  }

  /// Returns the values of a text.
  private static func values(of text: String) -> [String: String] {
    var values: [String: String] = [:]
    for part in text.split(separator: ",") {
      if let (name, value) = assignment(part) { values[name] = value }
    }
    return values
  }

  /// Returns a text with other values.
  static func replacing(_ values: [String: String], in text: String) -> String {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let (name, value) = assignment(part), let new = values[name], new != value,
        let equals = part.firstIndex(of: "=")
      else { return String(part) }
      let after = part[equals...].dropFirst()
      return part[...equals] + after.prefix { $0 == " " } + new
    }.joined(separator: ",")
  }

  /// Returns the sides of `name = value`.
  private static func assignment(_ text: Substring) -> (name: String, value: String)? {
    let sides = text.split(separator: "=").map { side in
      String(side.drop { $0 == " " }.prefix { $0 != " " })
    }
    return sides.count == 2 ? (sides[0], sides[1]) : nil
  }
}

extension CameraRawEdits.Form {
  /// The names of the numbers.
  fileprivate var names: [[String]] {
    points.map { [$0.x, $0.y] }
      + (corners.map { [[$0.left, $0.top, $0.right, $0.bottom], [$0.angle]] } ?? [])
      + (axes.map { [[$0.x, $0.y], [$0.lean]] } ?? []) + (inner.map { [[$0.x, $0.y]] } ?? [])
  }

  /// Returns whether values are those of the form: all or none of the numbers that belong together, and no other position.
  fileprivate func fits(_ values: [String: String]) -> Bool {
    required.allSatisfy { values[$0] != nil }
      && names.allSatisfy { group in
        let texts = group.compactMap { values[$0] }
        return (texts.isEmpty || texts.count == group.count)
          && texts.allSatisfy { Double($0).map { abs($0) < 1000 } == true }
      }
      && values.keys.allSatisfy { name in
        !Self.positional.contains { name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
          || name == "SizeX" || name == "SizeY"
          || names.contains { $0.contains(name) }
      }
  }

  /// The ends of names of values that depend on the axes.
  private static let positional = [
    "X", "Y", "Top", "Left", "Bottom", "Right", "Angle", "Point", "Area", "Origin", "Digest",
    "Models", "_mask",
  ]
}
