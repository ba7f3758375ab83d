internal import FileBytes
internal import ImageOrientation

extension ItemDirectory {
  /// The items of metadata: those of the primary image, then those that refer to no image, as of some phones.
  package var metadata: [Item] {
    let items = order.compactMap { self.items[$0] }
    let described = items.filter { $0.targets("cdsc").contains(primary) }
    let types: Set<FourCharacterCode> = ["Exif", "mime", "uri "]
    return described + items.filter { types.contains($0.type) && $0.targets("cdsc").isEmpty }
  }

  /// Returns the bits per sample that the configuration of a coded image gives, or of the first tile of a grid; nil if it
  /// is not known.
  func bitDepth(of identifier: Int, _ bytes: Span<UInt8>) -> Int? {
    guard let image = items[identifier] else { return nil }
    let item = image.type == "grid" ? image.targets("dimg").first.flatMap { items[$0] } : image
    for property in item?.properties ?? [] {
      let start = property.content.lowerBound
      switch property.type {
      case "av1C" where property.content.count >= 4:
        let flags = bytes[start + 2]
        return flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
      case "hvcC" where property.content.count >= 19: return 8 + Int(bytes[start + 17] & 7)
      default: continue
      }
    }
    return nil
  }

  /// The primary image and those that it consists of, each once.
  package var imageParts: [Item] {
    var (found, queue): ([Item], [Int]) = ([], [primary])
    var visited: Set<Int> = [primary]
    while let identifier = queue.popLast() {
      guard let item = items[identifier] else { continue }
      found.append(item)
      for target in item.targets("dimg") where visited.insert(target).inserted {
        queue.append(target)
      }
    }
    return found
  }

  /// Returns those of ``imageParts`` that are chosen, as long as their contents have together at most so many bytes: items
  /// may have the same bytes.
  package func imageParts(
    maxBytes: Int,
    where isChosen: (Item) -> Bool = { _ in true }
  ) -> [Item] {
    var rest = maxBytes
    return imageParts.filter { item in
      let count = item.extents.reduce(0) { $0 + $1.count }
      guard count <= rest, isChosen(item) else { return false }
      rest -= count
      return true
    }
  }

  /// Returns the number of bytes in a range of the file that belong to no item.
  package func unclaimedBytes(in range: Range<Int>) -> Int {
    let claimed = items.values.flatMap { $0.extents }.reduce(0) { $0 + $1.clamped(to: range).count }
    return max(0, range.count - claimed)
  }
}

extension Item {
  /// Whether the item is an XMP packet that is not compressed.
  package var isXMP: Bool {
    type == "mime" && contentType == "application/rdf+xml" && contentEncoding.isEmpty
  }

  /// Returns where the TIFF data of an Exif item is; its offset is in the first four bytes (ISO/IEC 23008-12, A.2.1).
  ///
  /// Some phones write the offset 0, although `Exif\0\0` is before the TIFF data.
  package static func exifRange(in content: [UInt8]) -> Range<Int>? {
    let bytes = content.span
    guard let offset = bytes.uint32(at: 0)?.length, offset < content.count - 4 else { return nil }
    let start = 4 + offset
    return (bytes.hasPrefix("Exif\0\0", at: start) ? start + 6 : start)..<content.count
  }

  /// The ranges of the content in the file; empty if it is elsewhere.
  package var extents: [Range<Int>] {
    if case .extents(let extents) = location { extents } else { [] }
  }

  /// Where the content is, if it is in one piece.
  package var place: Range<Int>? { extents.count == 1 ? extents[0] : nil }

  /// Returns the size of the image as cropped (`ispe`, `clap`), before it is rotated; nil if there is none.
  package func size(_ bytes: Span<UInt8>) throws(FormatError) -> (width: Int, height: Int)? {
    guard let property = properties.first(where: { $0.type == "ispe" }) else { return nil }
    var (_, _, fields) = try property.fullBox(bytes)
    let (width, height) = try (fields.integer(4, bytes), fields.integer(4, bytes))
    // A crop that is not within the image is ignored.
    guard let cropped = try? ImageTransforms(self, width: width, height: height, bytes) else {
      return (width, height)
    }
    return cropped.orientation.transposes
      ? (cropped.height, cropped.width) : (cropped.width, cropped.height)
  }

  /// No URN has as many bytes.
  private static let maxTypeLength = 256

  /// Returns the URN of the purpose of an auxiliary image (`auxC`); empty if it has none, or one that is too long.
  package func auxiliaryType(_ bytes: Span<UInt8>) -> String {
    guard let property = properties.first(where: { $0.type == "auxC" }),
      let fields = try? property.fullBox(bytes).fields
    else { return "" }
    var name = FieldCursor(fields.rest.prefix(Self.maxTypeLength))
    let type = name.text(bytes)
    return type.unicodeScalars.count < Self.maxTypeLength ? type : ""
  }
}
