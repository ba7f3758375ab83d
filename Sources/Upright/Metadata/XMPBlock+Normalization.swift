internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

extension XMPBlock {
  /// The orientation that the packet gives the image, whatever the number.
  var orientation: Int? {
    own(XMPNamespace.tiff, "Orientation").lazy.compactMap { Int($0.value) }.first
  }

  /// The values that make the packet describe the transformed image (specification, section 4).
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

  /// The new Orientation, where the packet says something else.
  func orientationValues(_ orientation: Orientation = .up) -> [Value] {
    let text = "\(orientation.rawValue)"
    return own(XMPNamespace.tiff, "Orientation").filter { $0.value != text }.map {
      Value($0, text, field: "xmp.tiff.Orientation")
    }
  }

  /// The new dimensions, where they are stored.
  ///
  /// What described the frame describes the new one. Dimensions that disagreed become the new frame's
  /// too if `always`, and are swapped when the axes do otherwise.
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
    let width = widths.lazy.compactMap { Int($0.value) }.first
    let height = heights.lazy.compactMap { Int($0.value) }.first
    let fits = width == new.width && height == new.height
    func value(_ stored: Int?, _ old: Int, _ new: Int, _ other: Int?) -> Int? {
      if always || stored == old { return new }
      return transform.transposes && !fits ? other : nil
    }
    var values: [Value] = []
    for (properties, name, number) in [
      (widths, names.0, value(width, old.width, new.width, height)),
      (heights, names.1, value(height, old.height, new.height, width)),
    ] {
      guard let number else { continue }
      values += properties.filter { Int($0.value) != nil && Int($0.value) != number }.map {
        Value($0, "\(number)", field: "\(field).\(name)")
      }
    }
    return values
  }
}
