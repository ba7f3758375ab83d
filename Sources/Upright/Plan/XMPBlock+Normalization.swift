internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

extension XMPBlock {
  /// The value of Orientation in the packet, even if invalid.
  var orientation: Int64? {
    own(XMPNamespace.tiff, "Orientation").lazy.compactMap { Int64($0.value) }.first
  }

  /// Returns the values that make the packet describe the transformed image (specification, section 4).
  func normalizedValues(
    transform: OrientationTransform,
    from old: PixelSize,
    to new: PixelSize,
    orientation: Orientation = .up
  ) -> [Value] {
    orientationValues(orientation)
      + dimensionValues(
        XMPNamespace.exif,
        ("PixelXDimension", "PixelYDimension"),
        "xmp.exif",
        transform: transform,
        from: old,
        to: new,
        always: true
      )
      + dimensionValues(
        XMPNamespace.tiff,
        ("ImageWidth", "ImageLength"),
        "xmp.tiff",
        transform: transform,
        from: old,
        to: new,
        always: false
      )
  }

  /// Returns the new Orientation if the packet has another one.
  func orientationValues(_ orientation: Orientation = .up) -> [Value] {
    let text = "\(orientation.rawValue)"
    return own(XMPNamespace.tiff, "Orientation").filter { $0.value != text }.map {
      Value($0, text, field: "xmp.tiff.Orientation")
    }
  }

  /// Returns the new dimensions, where the packet has dimensions.
  ///
  /// Dimensions of the old frame become those of the new one. Others become those of the new frame if `always`, and are
  /// swapped with the axes otherwise.
  private func dimensionValues(
    _ namespace: String,
    _ names: (String, String),
    _ field: String,
    transform: OrientationTransform,
    from old: PixelSize,
    to new: PixelSize,
    always: Bool
  ) -> [Value] {
    let (widths, heights) = (own(namespace, names.0), own(namespace, names.1))
    let width = widths.lazy.compactMap { Int64($0.value) }.first
    let height = heights.lazy.compactMap { Int64($0.value) }.first
    let (old, new) = (StatedSize(old), StatedSize(new))
    let fits = width == new.width && height == new.height
    func value(_ stored: Int64?, _ old: Int64, _ new: Int64, _ other: Int64?) -> Int64? {
      if always || stored == old { return new }
      return transform.transposes && !fits ? other : nil
    }
    var values: [Value] = []
    for (properties, name, number) in [
      (widths, names.0, value(width, old.width, new.width, height)),
      (heights, names.1, value(height, old.height, new.height, width)),
    ] {
      guard let number else { continue }
      values += properties.filter { Int64($0.value) != nil && Int64($0.value) != number }.map {
        Value($0, "\(number)", field: "\(field).\(name)")
      }
    }
    return values
  }
}
