package import ImageOrientation

extension TIFFBlock {
  /// Returns the edits that update the fields of IFD0, the ExifIFD and the Interop IFD for the transformed image
  /// (specification, section 4); Orientation keeps its value if `orientation` is nil.
  package func normalizationEdits(
    transform: OrientationTransform,
    from old: PixelSize,
    to new: PixelSize,
    orientation: Orientation? = .up,
    swapsResolution: Bool,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    var edits = orientation.map { orientationEdits(to: $0, bytes) } ?? []
    let (newWidth, newHeight) = (Int64(new.width), Int64(new.height))
    let density = density(of: old, bytes)
    let displayed = density?.size(of: new, transform) ?? (width: newWidth, height: newHeight)
    edits += self.edits(.exif, ExifTag.pixelXDimension, to: displayed.width, bytes)
    edits += self.edits(.exif, ExifTag.pixelYDimension, to: displayed.height, bytes)
    for (directory, x, y) in [
      (Kind.ifd0, ExifTag.imageWidth, ExifTag.imageLength),
      (.interoperability, ExifTag.relatedImageWidth, ExifTag.relatedImageHeight),
    ] {
      let (width, height) = (integer(directory, x, bytes), integer(directory, y, bytes))
      // Dimensions of another size are swapped, unless they already are those of the transformed image.
      let exchanges = transform.transposes && (width, height) != (newWidth, newHeight)
      for case (let tag, let value?) in [
        (x, width == Int64(old.width) ? newWidth : exchanges ? height : nil),
        (y, height == Int64(old.height) ? newHeight : exchanges ? width : nil),
      ] {
        edits += self.edits(directory, tag, to: value, bytes)
      }
    }
    if transform.transposes, swapsResolution || density?.differs == true {
      edits += exchange(.ifd0, ExifTag.xResolution, ExifTag.yResolution, bytes)
    }
    if transform.transposes, swapsResolution {
      edits += exchange(
        .exif,
        ExifTag.focalPlaneXResolution,
        ExifTag.focalPlaneYResolution,
        bytes
      )
    }
    return edits
  }

  /// Returns whether two fields of the same type have different values.
  package func differ(_ directory: Kind, _ x: UInt16, _ y: UInt16, _ bytes: Span<UInt8>) -> Bool {
    !exchange(directory, x, y, bytes).isEmpty
  }

  /// Returns the edits that swap the values of two fields of the same type and count, if they differ.
  private func exchange(
    _ directory: Kind,
    _ x: UInt16,
    _ y: UInt16,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    guard let first = entry(directory, x), let second = entry(directory, y),
      first.type == second.type, first.count == second.count,
      let (a, b) = first.value.flatMap({ a in second.value.map { (a, $0) } }), !a.overlaps(b)
    else { return [] }
    let (old, new) = (bytes.bytes(a), bytes.bytes(b))
    guard old != new else { return [] }
    return [(a, new, first.field), (b, old, second.field)].map { range, value, field in
      Edit(range, with: value, field: Edit.Field(field, new: "exchanged"))
    }
  }
}
