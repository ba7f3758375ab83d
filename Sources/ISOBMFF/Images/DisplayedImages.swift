package import ImageOrientation

/// The images that are displayed with the primary image of a file, in its place or as a part of it.
///
/// All of them are transformed, or none. There is no such value for a file with a structure in which some image would
/// not follow, or in which readers differ in what they display: the error names the structure.
package struct DisplayedImages: Hashable, Sendable {
  /// The rotation and mirroring of each image that has its own, by the identifiers of the items.
  package private(set) var orientations: [Int: OrientationTransform] = [:]
  /// The images without a transform whose size is the displayed one of the image that they are derived from.
  private(set) var derived: Set<Int> = []

  /// Finds the images of a file.
  init(
    _ directory: ItemDirectory,
    _ groups: [EntityGroup],
    _ bytes: Span<UInt8>
  ) throws(FormatError) {
    var search = DisplayedImageSearch(directory, groups)
    try search.run()
    var properties: [Int: TransformProperties] = [:]
    // The images that tone-mapped images are derived from.
    var bases: [Int: [Int]] = [:]
    for identifier in search.images {
      let item = try directory.item(identifier)
      properties[identifier] = try TransformProperties(item, bytes)
      if item.type == "tmap" { bases[identifier] = item.targets("dimg") }
    }
    for identifier in search.images {
      let item = try directory.item(identifier)
      let own = properties[identifier]
      if let bases = bases[identifier] {
        // Either the derived image takes the others as they are displayed, or all three have the same transform, as on
        // iPhones before iOS 18.
        let inputs = bases.compactMap { properties[$0] }
        let isStill = own?.values == TransformProperties.Values()
        guard isStill || inputs.allSatisfy({ $0 == own }) else {
          throw .differentTransforms(item, "the images that it is derived from")
        }
        guard inputs.count == 2, inputs[0].values == inputs[1].values else {
          throw .unsupported(
            "the image and the gain map of item \(identifier) (tmap) do not have the same rotation and mirroring"
          )
        }
        if isStill {
          guard !item.properties.contains(where: { $0.type == "clap" }) else {
            throw .unsupported("item \(identifier) (tmap) is cropped (clap) after it was derived")
          }
          let base = try directory.item(bases[0])
          if try Self.hasDisplayedSize(item, of: base, directory, bytes) {
            derived.insert(identifier)
          }
        }
      }
      for target in item.targets("auxl") {
        let master = bases[target]?.first ?? target
        guard own?.values == properties[master]?.values else {
          throw .differentTransforms(item, "item \(master), to which it is auxiliary")
        }
      }
      if item.type != "tmap" || own?.values != TransformProperties.Values() {
        orientations[identifier] = own?.orientation
      }
    }
  }

  /// Returns whether the size of a derived image is that of its base as it is displayed, which a rotation by 90° changes
  /// (ISO/IEC 23008-12, 6.6.2.4).
  ///
  /// libavif writes and requires the stored size of a base that is coded with AV1.
  private static func hasDisplayedSize(
    _ item: Item,
    of base: Item,
    _ directory: ItemDirectory,
    _ bytes: Span<UInt8>
  ) throws(FormatError) -> Bool {
    guard let own = try item.size(bytes), let stored = try base.size(bytes) else { return false }
    let isAcross = try ImageTransforms.orientation(of: base, bytes)?.transposes == true
    guard own == (isAcross ? (stored.height, stored.width) : stored) else { return false }
    let coded = base.type == "grid" ? base.targets("dimg").first : base.identifier
    return own != stored || coded.flatMap { directory.items[$0]?.type } != "av01"
  }
}

/// The rotation and mirror of an image, in an order in which all readers apply them.
private struct TransformProperties: Equatable {
  /// The values of `irot`, 0 without it, and `imir`.
  struct Values: Equatable {
    var angle: UInt8 = 0
    var axis: UInt8?
  }

  var values = Values()
  var orientation = OrientationTransform.none
  /// Reads the properties of an image.
  ///
  /// Readers apply crop, rotation and mirror in this order (MIAF, 7.3.6.7), others in the order of the properties.
  init(_ item: Item, _ bytes: Span<UInt8>) throws(FormatError) {
    var types: [FourCharacterCode] = []
    var hasSize = false
    for property in item.properties {
      switch property.type {
      case "ispe":
        guard !hasSize, types.isEmpty else {
          throw .unsupported("the size (ispe) of item \(item.identifier) is not its first property")
        }
        hasSize = true
      case "irot", "imir":
        guard property.content.count == 1, !types.contains(property.type) else {
          throw .unsupported("item \(item.identifier) has more than one property \(property.type)")
        }
        let value = bytes[property.content.lowerBound]
        if property.type == "irot" { values.angle = value & 3 } else { values.axis = value & 1 }
        guard property.type == "imir" || value & 1 == 0 || !types.contains("imir") else {
          throw .unsupported(
            "item \(item.identifier) is mirrored before it is rotated, and readers differ in the order"
          )
        }
      case "clap":
        guard types.isEmpty else {
          throw .unsupported(
            "the crop (clap) of item \(item.identifier) is not its first transform, and readers differ in the order"
          )
        }
      case "iscl": throw .unsupported("item \(item.identifier) is scaled (iscl)")
      default: continue
      }
      if property.type != "ispe" { types.append(property.type) }
    }
    guard hasSize else { throw .unsupported("item \(item.identifier) has no size (ispe)") }
    orientation = try ImageTransforms.orientation(of: item, bytes) ?? .none
  }
}

extension FormatError {
  fileprivate static func differentTransforms(_ item: Item, _ other: String) -> FormatError {
    .unsupported(
      "item \(item.identifier) (\(item.type)) does not have the rotation and mirroring of \(other)"
    )
  }
}
