package import ImageOrientation

extension TIFFBlock {
  /// Returns the edits that update the fields of IFD0, the ExifIFD and the Interop IFD for the transformed image
  /// (specification, section 4).
  ///
  /// - Returns: The edits, in no particular order.
  package func normalizationEdits(
    transform: OrientationTransform,
    from old: PixelSize,
    to new: PixelSize,
    swapsResolution: Bool,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    var edits = orientationEdits(bytes)
    let (newWidth, newHeight) = (Int64(new.width), Int64(new.height))
    let pixelTags = [
      (ExifTag.pixelXDimension, "pixel-x-dimension", newWidth),
      (ExifTag.pixelYDimension, "pixel-y-dimension", newHeight),
    ]
    for (tag, name, value) in pixelTags {
      edits += entries(.exif, tag).compactMap {
        edit($0, to: value, field: "exif.exif.\(name)", bytes)
      }
    }
    for (directory, tags, names) in [
      (Kind.ifd0, (ExifTag.imageWidth, ExifTag.imageLength), ("image-width", "image-length")),
      (
        .interoperability, (ExifTag.relatedImageWidth, ExifTag.relatedImageHeight),
        ("related-image-width", "related-image-height")
      ),
    ] {
      let (width, height) = (
        integer(directory, tags.0, bytes), integer(directory, tags.1, bytes)
      )
      // Dimensions of another size are swapped, unless they already are those of the transformed image.
      let exchanges = transform.transposes && (width, height) != (newWidth, newHeight)
      let values = [
        (tags.0, names.0, width == Int64(old.width) ? newWidth : exchanges ? height : nil),
        (tags.1, names.1, height == Int64(old.height) ? newHeight : exchanges ? width : nil),
      ]
      for case (let tag, let name, let value?) in values {
        edits += entries(directory, tag).compactMap {
          edit($0, to: value, field: "exif.\(directory.rawValue).\(name)", bytes)
        }
      }
    }
    if transform.transposes, swapsResolution {
      edits += exchange(.ifd0, ExifTag.xResolution, ExifTag.yResolution, "resolution", bytes)
      edits += exchange(
        .exif,
        ExifTag.focalPlaneXResolution,
        ExifTag.focalPlaneYResolution,
        "focal-plane-resolution",
        bytes
      )
    }
    return edits
  }

  /// Returns whether two fields of the same type have different values.
  package func differ(_ directory: Kind, _ x: UInt16, _ y: UInt16, _ bytes: Span<UInt8>) -> Bool {
    !exchange(directory, x, y, "", bytes).isEmpty
  }

  /// Returns the edits that swap the values of two fields of the same type and count, if they differ.
  private func exchange(
    _ directory: Kind,
    _ x: UInt16,
    _ y: UInt16,
    _ name: String,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    guard let first = entries(directory, x).first, let second = entries(directory, y).first,
      first.type == second.type, first.count == second.count,
      let (a, b) = first.value.flatMap({ a in second.value.map { (a, $0) } }), !a.overlaps(b)
    else { return [] }
    let (old, new) = (bytes.bytes(a), bytes.bytes(b))
    guard old != new else { return [] }
    return [(a, new, "x"), (b, old, "y")].map { range, value, axis in
      Edit(
        range,
        with: value,
        field: Edit.Field("exif.\(directory.rawValue).\(axis)-\(name)", new: "exchanged")
      )
    }
  }
}
