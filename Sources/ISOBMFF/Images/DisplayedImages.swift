package import ImageOrientation

/// The images that are displayed with the primary image of a file, in its place or as a part of it.
///
/// All of them are transformed, or none. There is no such value for a file with a structure in which some image would
/// not follow, or in which readers differ in what they display: the error names the structure.
package struct DisplayedImages: Hashable, Sendable {
  /// The rotation and mirroring of each image that has its own, by the identifiers of the items.
  package private(set) var orientations: [Int: OrientationTransform] = [:]

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
        // Either the derived image has no transform, or all three have the same one, as on iPhones before iOS 18.
        let inputs = bases.compactMap { properties[$0] }
        guard own?.isEmpty == true || inputs.allSatisfy({ $0 == own && !$0.isEmpty }) else {
          throw .differentTransforms(item, "the images that it is derived from")
        }
        guard inputs.count == 2, inputs[0].values == inputs[1].values else {
          throw .unsupported(
            "the image and the gain map of item \(identifier) (tmap) do not have the same rotation and mirroring"
          )
        }
      }
      for target in item.targets("auxl") {
        let master = bases[target]?.first ?? target
        guard own?.values == properties[master]?.values else {
          throw .differentTransforms(item, "item \(master), to which it is auxiliary")
        }
      }
      if item.type != "tmap" || own?.isEmpty == false {
        orientations[identifier] = own?.orientation
      }
    }
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
  /// Whether the image has neither property.
  var isEmpty = true

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
    let own = try ImageTransforms.orientation(of: item, bytes)
    (orientation, isEmpty) = (own ?? .none, own == nil)
  }
}

extension FormatError {
  fileprivate static func differentTransforms(_ item: Item, _ other: String) -> FormatError {
    .unsupported(
      "item \(item.identifier) (\(item.type)) does not have the rotation and mirroring of \(other)"
    )
  }
}
