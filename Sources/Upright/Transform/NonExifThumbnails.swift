internal import FileBytes
internal import JPEGCore
internal import XMPPacket

/// Removes the thumbnails in JFIF, JFXX and Photoshop segments, which would show what a crop cuts away.
///
/// Renditions that cannot be removed are reported in notes.
struct NonExifThumbnails {
  let header: Header

  /// Returns the removals, and notes on renditions that are kept.
  func removed(_ bytes: Span<UInt8>) -> PhotoTransformer.Part {
    let container = header.container
    var edits = container.segments(.jfifExtension, in: bytes).map { Edit.removal($0.range, "jfxx") }
    edits += container.segments(.jfif, in: bytes).flatMap { removal(inJFIF: $0, bytes) }
    edits += container.segments(.photoshop, in: bytes).flatMap { removal(inPhotoshop: $0, bytes) }
    let text = "the thumbnail outside of Exif is removed because it showed what was cut away"
    let notes = edits.isEmpty ? [] : [Note(.thumbnailRemoved, text)]
    return PhotoTransformer.Part(edits: edits, notes: notes + leftovers(bytes))
  }

  private func removal(inJFIF segment: Segment, _ bytes: Span<UInt8>) -> [Edit] {
    let size = segment.payload.lowerBound + 12
    guard segment.payload.count > 14, bytes[size] > 0, bytes[size + 1] > 0 else { return [] }
    let pixels = size + 2..<segment.payload.upperBound
    return [
      Edit(size..<size + 2, with: [0, 0], field: Edit.Field("jfif.thumbnail-size")),
      .removal(pixels, "jfif.thumbnail"),
      segment.lengthEdit(growingBy: -pixels.count, field: "jfif.segment-length"),
    ]
  }

  private func removal(inPhotoshop segment: Segment, _ bytes: Span<UInt8>) -> [Edit] {
    let edits = segment.imageResources(bytes).filter {
      [1036, 1033].contains($0.number) && $0.range.upperBound <= segment.payload.upperBound
    }.map { Edit.removal($0.range, "photoshop.thumbnail") }
    guard !edits.isEmpty else { return [] }
    return edits + [
      segment.lengthEdit(growingBy: edits.totalShift, field: "photoshop.segment-length")
    ]
  }

  @ListBuilder<Note> private func leftovers(_ bytes: Span<UInt8>) -> [Note] {
    for block in header.exif where hasOtherStream(block, bytes) {
      Note(.imageKept, "a JPEG stream in Exif is kept and may show what was cut away")
    }
    for block in header.xmp
    where block.packet.properties.contains(where: { $0.namespace == XMPNamespace.imageRendition }) {
      Note(.thumbnailKept, "a thumbnail in XMP is kept and may show what was cut away")
    }
    if EmbeddedImage.video(after: header.container.end, bytes) != nil {
      Note(.imageKept, "the video after the image is kept and may show what was cut away")
    }
  }

  /// Returns whether an Exif block contains the start of a JPEG stream that is neither its thumbnail nor the preview of its
  /// MakerNote, which the plan names.
  private func hasOtherStream(_ block: TIFFBlock, _ bytes: Span<UInt8>) -> Bool {
    let known = Thumbnail(block, bytes)?.range
    guard block.makerNotePreview(besides: known.map { [$0] } ?? [], bytes) == nil else {
      return false
    }
    let content = bytes.bytes(block.range)
    return content.indices.dropLast(2).contains { index in
      content[index] == 0xFF && content[index + 1] == 0xD8 && content[index + 2] == 0xFF
        && known?.contains(block.range.lowerBound + index) != true
    }
  }
}
