internal import FileBytes
internal import ImageOrientation

extension ItemBox {
  /// Returns the images that are displayed with the primary one; fails if a structure stops every change.
  static func images(
    _ directory: ItemDirectory,
    _ bytes: [UInt8],
    at start: Int,
    of size: Int
  ) throws(FormatError) -> DisplayedImages {
    let boxes = try boxes(bytes)
    let data = try boxes.only("idat")?.content
    try ItemPlaces(directory, data: data, start..<start + bytes.count, of: size).check()
    return try DisplayedImages(directory, try EntityGroup.groups(bytes.span, in: boxes), bytes.span)
  }
}

/// The check that the contents of items can be found, and do not change, when the box `meta` of the file changes.
private struct ItemPlaces {
  private let directory: ItemDirectory
  /// The content of the box `idat`, as a range of the file.
  private let data: Range<Int>?
  /// The box `meta`.
  private let meta: Range<Int>
  /// The size of the file.
  private let size: Int

  /// The maximum length of all items relative to the file: the contents of items that share bytes are compared each.
  private static let maxSharing: Int64 = 8

  init(_ directory: ItemDirectory, data: Range<Int>?, _ meta: Range<Int>, of size: Int) {
    (self.directory, self.meta, self.size) = (directory, meta, size)
    self.data = data.map { meta.lowerBound + $0.lowerBound..<meta.lowerBound + $0.upperBound }
  }

  func check() throws(FormatError) {
    var places: [(range: Range<Int>, item: Item)] = []
    for identifier in directory.order {
      let item = try directory.item(identifier)
      if case .unsupported(let message) = item.location { throw .unsupported(message) }
      for extent in item.extents where !extent.isEmpty {
        guard !extent.overlaps(meta) || data.map({ extent.clamped(to: $0) == extent }) == true
        else { throw .unsupported("item \(identifier) shares bytes with the box meta") }
        places.append((extent, item))
      }
    }
    let sum = places.reduce(Int64(0)) { $0 + Int64($1.range.count) }
    guard sum <= Self.maxSharing * Int64(size) else {
      throw .unsupported("its items share too many bytes")
    }
    var (end, endOfMetadata) = (0, 0)
    for (range, item) in places.ordered(by: { $0.range.lowerBound }) {
      guard range.lowerBound >= (item.isEdited ? end : endOfMetadata) else {
        throw .unsupported("item \(item.identifier) shares bytes with another one")
      }
      end = max(end, range.upperBound)
      if item.isEdited { endOfMetadata = max(endOfMetadata, range.upperBound) }
    }
  }
}

extension Item {
  /// Whether the content states an orientation, which is changed.
  var isEdited: Bool { type == "Exif" || isXMP }
}
