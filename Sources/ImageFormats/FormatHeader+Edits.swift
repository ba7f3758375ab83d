package import FileBytes
package import ISOBMFF
package import ImageOrientation

/// The rotation and mirroring of a HEIF file.
extension FormatHeader {
  /// The structure of a HEIF file that stops every change, in words; nil if there is none.
  ///
  /// In such a file, images that are displayed would not all follow a transform, or an item cannot be found.
  package var obstacle: String? {
    guard format.isHEIF else { return nil }
    guard let items else { return Self.minimized }
    return if case .failure(let error) = items.images { error.message } else { nil }
  }

  private static let minimized =
    "the box mini, whose orientation is not changed, is in place of items"

  /// Returns the edits after which readers display the image transformed, with all images that are displayed with it;
  /// see ``ItemBox/edits(transforming:)``.
  package func edits(transforming transform: OrientationTransform) throws(FormatError) -> [Edit] {
    guard let items else { throw .unsupported(Self.minimized) }
    return try items.edits(transforming: transform)
  }

  /// Returns the bits per sample of an image that a transform mirrors; see ``ItemBox/deepImage(mirroredBy:)``.
  package func deepImage(mirroredBy transform: OrientationTransform) -> Int? {
    items?.deepImage(mirroredBy: transform)
  }

  /// Returns why no decoder can show the image of a whole HEIF file; nil if one may, or in another format.
  package func damage(in file: [UInt8]) -> String? {
    guard let items else { return nil }
    var contents: [Int: [UInt8]] = [:]
    for item in items.directory.imageParts(maxBytes: file.count) {
      contents[item.identifier] = try? items.directory.content(of: item, file.span)
    }
    return items.damage(contents)
  }

  /// Returns whether the items have the contents that they have in another file, except for Exif and XMP; yes in other
  /// formats.
  package func hasContents(of other: FormatHeader, _ file: [UInt8], _ otherFile: [UInt8]) -> Bool {
    guard let old = other.items else { return items == nil }
    return items?.hasContents(of: old, file, otherFile) == true
  }
}

/// The pages of a TIFF file.
extension FormatHeader {
  /// The index of the page that is the image: the first that is no reduced rendition; in camera raw files, IFD0.
  package var primaryPage: Int {
    format != .tiff ? 0 : pages.firstIndex { !$0.isReduced } ?? 0
  }

  /// The indices of the page that is the image and of its reduced renditions.
  package var primaryPages: [Int] {
    guard format == .tiff else { return pages.isEmpty ? [] : [0] }
    let after = pages[primaryPage...].dropFirst().prefix { $0.isReduced }
    return Array(pages[...primaryPage].indices) + after.indices
  }

  /// Returns the edits that set every Orientation of a page, or remove it.
  package func edits(ofPage index: Int, to orientation: Orientation?) -> [Edit] {
    let name = index == 0 ? "ifd0" : "page-\(index + 1)"
    return pages[index].directory.edits(to: orientation, name: name)
  }

  /// Returns whether edits change no byte that another part of a TIFF file uses; nil if there are too many parts to
  /// know.
  package func permits(_ edits: [Edit]) -> Bool? {
    pages.isEmpty ? true : claims?.permits(edits)
  }
}

/// The edits of metadata in a file, which move nothing that an offset refers to.
extension FormatHeader {
  /// Returns the edits of the file for edits of the content of an Exif block or XMP packet; nil if the file has the
  /// metadata in another form, or if bytes after it would move.
  package func edits(of part: MetadataPart, _ own: [Edit]) -> [Edit]? {
    guard !own.isEmpty else { return [] }
    guard let start = part.start else { return nil }
    let moved = own.map { $0.moved(by: start) }
    guard format == .png else { return own.totalShift == 0 ? moved : nil }
    guard own.totalShift == 0 || !isFixed(part) else { return nil }
    let content = own.applied(to: part.content)
    let end = start + part.content.count
    let length = UInt32(clamping: content.count - 4).bytes(.big)
    return moved
      + (own.totalShift == 0
        ? [] : [Edit(start - 4..<start, with: length, field: Edit.Field("png.chunk-length"))])
      + [Edit(end..<end + 4, with: content.crc32.bytes(.big), field: Edit.Field("png.crc"))]
  }

  /// Whether a part of a PNG file is between Apple's chunk iDOT and the data that it refers to.
  private func isFixed(_ part: MetadataPart) -> Bool {
    guard let start = part.start, let fixed = fixedChunks else { return false }
    return fixed.contains(start)
  }

  /// Returns the edit that removes a chunk of a PNG file; nil if the part is none, or if data after it must not move.
  package func removal(of part: MetadataPart) -> Edit? {
    guard format == .png, let start = part.start, !isFixed(part) else { return nil }
    return Edit(
      start - 4..<start + part.content.count + 4,
      with: [],
      field: Edit.Field("png.eXIf", new: "removed")
    )
  }

  /// Returns the edit that inserts an Exif block into a PNG file (PNG, 11.3.4.5); nil in another format.
  package func insertion(exif block: [UInt8]) -> Edit? {
    guard let place = placeForChunk else { return nil }
    let content = Array("eXIf".utf8) + block
    return Edit(
      place..<place,
      with: UInt32(block.count).bytes(.big) + content + content.crc32.bytes(.big),
      field: Edit.Field("png.eXIf", new: "added")
    )
  }
}
