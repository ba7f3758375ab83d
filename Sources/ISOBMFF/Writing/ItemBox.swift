package import FileBytes
package import ImageOrientation

/// The box `meta` of a file, in which the rotations and mirrors of images can be changed.
///
/// The content of no item changes. Where the box grows, what follows it moves, and the offsets in `iloc` follow.
package struct ItemBox: Sendable {
  /// The items.
  package let directory: ItemDirectory
  /// The box.
  let bytes: [UInt8]
  /// Its offset in the file.
  let start: Int
  /// The size of the file.
  private let size: Int
  /// The images that are transformed together, or the structure of the file that stops every change.
  package private(set) var images: Result<DisplayedImages, FormatError>

  /// Creates the view of a box whose items were read.
  package init(_ bytes: [UInt8], at start: Int, of size: Int, _ directory: ItemDirectory) {
    (self.bytes, self.start, self.size, self.directory) = (bytes, start, size, directory)
    do throws(FormatError) {
      images = .success(try Self.images(directory, bytes, at: start, of: size))
    } catch { images = .failure(error) }
  }

  /// Stops every change for a structure outside the box.
  package mutating func stop(_ structure: String) {
    images = .failure(.unsupported(structure))
  }

  /// Returns the edits after which all images that are displayed with the primary one, and itself, are displayed
  /// transformed.
  ///
  /// Where the properties of these images are theirs alone, their values are replaced and nothing moves. The error is
  /// of kind `unsupported` if that is impossible.
  package func edits(transforming transform: OrientationTransform) throws(FormatError) -> [Edit] {
    let images = try images.get()
    let transforms = images.orientations.mapValues { $0.then(transform) }
    let boxes = try Self.boxes(bytes)
    let properties = try ItemProperties(bytes.span, try boxes.required("iprp"))
    let sizes = try SwappedSizes(transform.transposes ? images.derived : [], properties, bytes)
    if sizes.replaced.isEmpty, let edits = valueEdits(transforms, properties) {
      return edits + sizeValueEdits(sizes, properties)
    }
    let edits =
      try associationEdits(transforms, sizes, properties) + sizeValueEdits(sizes, properties)
    let positions = EditedPositions(edits)
    let growth = try sizeEdits(positions, boxes, properties)
    return try edits + growth + (edits.totalShift == 0 ? [] : offsetEdits(positions, boxes))
  }

  /// Returns the bits per sample of an image of more than 8 that a transform mirrors, and that was not mirrored; nil if
  /// there is none.
  package func deepImage(mirroredBy transform: OrientationTransform) -> Int? {
    guard case .success(let images) = images else { return nil }
    let gaining = images.orientations.filter {
      !$0.value.mirrors && $0.value.then(transform).mirrors
    }
    return gaining.keys.compactMap { directory.bitDepth(of: $0, bytes.span) }.max()
      .flatMap { $0 > 8 ? $0 : nil }
  }

  /// Returns why no decoder can show the primary image, of which some contents are known; see
  /// ``DecodingCheck/damage(_:_:contents:)``.
  package func damage(_ contents: [Int: [UInt8]]) -> String? {
    DecodingCheck.damage(directory, bytes.span, contents: contents)
  }

  /// Returns the boxes in a box `meta`.
  static func boxes(_ bytes: [UInt8]) throws(FormatError) -> [Box] {
    let meta = try Box(header: bytes.span, at: 0, of: bytes.count)
    return try Box.boxes(bytes.span, in: try meta.fullBox(bytes.span).fields.rest)
  }

  /// Returns whether each item has the same content as in another file, except for Exif and XMP; no if the content of
  /// an item cannot be located.
  package func hasContents(of other: ItemBox, _ file: [UInt8], _ otherFile: [UInt8]) -> Bool {
    guard directory.order == other.directory.order else { return false }
    return directory.order.allSatisfy { identifier in
      guard let item = directory.items[identifier], let old = other.directory.items[identifier],
        item.type == old.type, item.extents.count == old.extents.count, item.isLocated,
        old.isLocated
      else { return false }
      if item.isEdited { return true }
      return zip(item.extents, old.extents).allSatisfy {
        $0.count == $1.count && file.equals($0, in: otherFile, at: $1.lowerBound)
      }
    }
  }

  func edit(_ range: Range<Int>, _ new: [UInt8], _ field: String, _ text: String = "") -> Edit {
    Edit(
      start + range.lowerBound..<start + range.upperBound,
      with: new,
      field: Edit.Field(field, new: text)
    )
  }

  /// Returns the edits of the sizes of the boxes that contain edits.
  private func sizeEdits(
    _ positions: EditedPositions,
    _ boxes: [Box],
    _ properties: ItemProperties
  ) throws(FormatError) -> [Edit] {
    let meta = try Box(header: bytes.span, at: 0, of: bytes.count)
    var sizes: [Edit] = []
    for box in try [meta, boxes.required("iprp"), properties.container] + properties.tables {
      // Properties are added at the end of a box.
      let growth = positions.growth(
        from: start + box.content.lowerBound,
        to: start + box.range.upperBound + 1
      )
      guard growth != 0 else { continue }
      let place = box.range.lowerBound
      let isLong = box.content.lowerBound - place == 16
      guard bytes.span.uint32(at: place) != 0,
        let size = Self.bytes(box.range.count + growth, isLong ? 8 : 4)
      else { throw .unsupported("the box \(box.type) cannot grow") }
      let field = isLong ? place + 8..<place + 16 : place..<place + 4
      sizes.append(edit(field, size, "heif.box-size"))
    }
    return sizes
  }

  /// Returns the edits of the offsets of items, for edits that move their contents.
  private func offsetEdits(
    _ positions: EditedPositions,
    _ boxes: [Box]
  ) throws(FormatError) -> [Edit] {
    let data = try boxes.only("idat")?.content
    let box = try boxes.required("iloc")
    let locations = try ItemLocations(bytes.span, box, data: data, (start, size))
    var changes: [Edit] = []
    func change(_ field: ItemLocations.Field, by shift: Int) throws(FormatError) {
      guard shift != 0 else { return }
      guard let value = Self.bytes(field.value + shift, field.size) else {
        throw .unsupported("an offset in the box iloc would be too large, or negative")
      }
      changes.append(edit(field.place..<field.place + field.size, value, "heif.iloc"))
    }
    for item in locations.offsets {
      let shifts = item.extents.map { extent in
        let old = item.base.value + extent.value
        return positions.position(of: old) - old
      }
      // Offsets from a base may be too small to be reduced.
      if let shift = shifts.first, item.base.value > max(0, -shift),
        shifts.allSatisfy({ $0 == shift })
      {
        try change(item.base, by: shift)
      } else {
        for (extent, shift) in zip(item.extents, shifts) { try change(extent, by: shift) }
      }
    }
    return changes
  }

  /// Returns a number in a number of bytes, the highest first; nil if it does not fit.
  private static func bytes(_ number: Int, _ size: Int) -> [UInt8]? {
    guard number >= 0, size == 8 || size > 0 && number >> (8 * size) == 0 else { return nil }
    return (0..<size).reversed().map { UInt8(truncatingIfNeeded: Int64(number) >> Int64(8 * $0)) }
  }
}

extension Item {
  /// Whether the content has a place in the file, or there is none.
  fileprivate var isLocated: Bool { if case .unsupported = location { false } else { true } }
}
