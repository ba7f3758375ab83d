internal import ImageOrientation
internal import XMPPacket

extension XMPBlock {
  /// The value of Orientation in the packet, even if invalid.
  var orientation: Int64? {
    own(XMPNamespace.tiff, "Orientation").lazy.compactMap { Int64($0.value) }.first
  }

  /// Returns all values that make the packet describe the transformed image (specification, section 4); Orientation keeps
  /// its value if `orientation` is nil.
  func transformedValues(_ regions: RegionPlan, orientation: Orientation?) -> [XMPValue] {
    let geometry = regions.geometry
    return normalizedValues(
      transform: geometry.transform,
      from: geometry.old,
      to: geometry.new,
      orientation: orientation
    ) + positionValues(regions) + cameraRawValues(geometry)
  }

  /// Returns the values of regions and other positions that describe the transformed image.
  func positionValues(_ regions: RegionPlan) -> [XMPValue] {
    regionValues(regions) + referenceValues(regions)
  }

  /// Returns the values of Orientation and of the dimensions.
  func normalizedValues(
    transform: OrientationTransform,
    from old: PixelSize,
    to new: PixelSize,
    orientation: Orientation? = .up
  ) -> [XMPValue] {
    var values = orientation.map { orientationValues($0) } ?? []
    let (old, new) = (StatedSize(old), StatedSize(new))
    for (namespace, field, names, isExif) in [
      (XMPNamespace.exif, "xmp.exif", ("PixelXDimension", "PixelYDimension"), true),
      (XMPNamespace.tiff, "xmp.tiff", ("ImageWidth", "ImageLength"), false),
    ] {
      let (widths, heights) = (own(namespace, names.0), own(namespace, names.1))
      let width = widths.lazy.compactMap { Self.whole($0.value) }.first
      let height = heights.lazy.compactMap { Self.whole($0.value) }.first
      let fits = width == new.width && height == new.height
      // Exif's dimensions are those of the image; TIFF's may be others, which are swapped with the axes.
      func value(_ stored: Int64?, _ old: Int64, _ new: Int64, _ other: Int64?) -> Int64? {
        if isExif || stored == old { return new }
        return transform.transposes && !fits ? other : nil
      }
      for (properties, name, number) in [
        (widths, names.0, value(width, old.width, new.width, height)),
        (heights, names.1, value(height, old.height, new.height, width)),
      ] {
        guard let number else { continue }
        for property in properties {
          guard let stored = Self.whole(property.value), stored != number else { continue }
          values.append(XMPValue(property, "\(number)", field: "\(field).\(name)"))
        }
      }
    }
    return values
  }

  /// Returns the new Orientation if the packet has another one.
  func orientationValues(_ orientation: Orientation = .up) -> [XMPValue] {
    let text = "\(orientation.rawValue)"
    return own(XMPNamespace.tiff, "Orientation").filter { $0.value != text }.map {
      XMPValue($0, text, field: "xmp.tiff.Orientation")
    }
  }
}
