internal import JPEGCore
internal import XMPPacket

/// Removes thumbnails outside of IFD1, which would show what a crop cuts away.
///
/// Thumbnails in JFIF, JFXX and Photoshop segments are removed. Renditions that cannot be removed are reported in notes.
struct OtherThumbnails {
  let header: Header

  /// Returns the removals, and notes on renditions that are kept.
  func edits(_ bytes: Span<UInt8>) -> (edits: [Edit], notes: [String]) {
    var edits: [Edit] = []
    var notes: [String] = []
    let container = header.container
    for segment in container.segments(.jfifExtension, in: bytes) {
      edits.append(Edit(segment.range, with: [], field: Edit.Field("jfxx", new: "removed")))
    }
    for segment in container.segments(.jfif, in: bytes) {
      edits += removal(inJFIF: segment, bytes)
    }
    for segment in container.segments(.photoshop, in: bytes) {
      edits += removal(inPhotoshop: segment, bytes)
    }
    if !edits.isEmpty {
      notes.append("the thumbnail outside of Exif is removed because it showed what was cut away")
    }
    return (edits, notes + leftovers(bytes))
  }

  /// Returns the removal of the thumbnail pixels of a JFIF segment.
  private func removal(inJFIF segment: Segment, _ bytes: Span<UInt8>) -> [Edit] {
    let size = segment.payload.lowerBound + 12
    guard segment.payload.count > 14, bytes[size] > 0, bytes[size + 1] > 0 else { return [] }
    let pixels = size + 2..<segment.payload.upperBound
    return [
      Edit(size..<size + 2, with: [0, 0], field: Edit.Field("jfif.thumbnail-size")),
      Edit(pixels, with: [], field: Edit.Field("jfif.thumbnail", new: "removed")),
      shorter(segment, by: pixels.count, field: "jfif.segment-length"),
    ]
  }

  /// Returns the removal of the image resources 1036 and 1033 (Photoshop File Formats Specification, image resource
  /// section).
  private func removal(inPhotoshop segment: Segment, _ bytes: Span<UInt8>) -> [Edit] {
    var edits: [Edit] = []
    var position = segment.payload.lowerBound + 14
    while position + 12 <= segment.payload.upperBound,
      bytes.hasPrefix(Array("8BIM".utf8), at: position),
      let number = bytes.uint16(at: position + 4)
    {
      let name = (Int(bytes[position + 6]) + 2) / 2 * 2
      guard let length = bytes.uint32(at: position + 6 + name) else { break }
      let end = position + 10 + name + (length.length + 1) / 2 * 2
      guard end <= segment.payload.upperBound else { break }
      if number == 1036 || number == 1033 {
        edits.append(
          Edit(
            position..<end,
            with: [],
            field: Edit.Field("photoshop.thumbnail", new: "removed")
          )
        )
      }
      position = end
    }
    guard !edits.isEmpty else { return [] }
    return edits + [shorter(segment, by: -edits.totalShift, field: "photoshop.segment-length")]
  }

  private func shorter(_ segment: Segment, by count: Int, field: String) -> Edit {
    let (position, old) = (segment.range.lowerBound + 2, segment.range.count - 2)
    return Edit(
      position..<position + 2,
      with: UInt16(old - count).bytes(.big),
      field: Edit.Field(field, old: "\(old)", new: "\(old - count)")
    )
  }

  /// Returns notes on renditions that are kept.
  private func leftovers(_ bytes: Span<UInt8>) -> [String] {
    var notes: [String] = []
    for block in header.exif where hasPreview(block, bytes) {
      notes.append("a preview in the MakerNote is kept and may show what was cut away")
    }
    for block in header.xmp
    where block.packet.properties.contains(where: { $0.namespace == XMPNamespace.imageRendition }) {
      notes.append("a thumbnail in XMP is kept and may show what was cut away")
    }
    if Inventory.video(after: header.container.end, bytes) != nil {
      notes.append("the video after the image is kept and may show what was cut away")
    }
    return notes
  }

  /// Returns whether an Exif block contains the start of a JPEG stream besides its thumbnail.
  private func hasPreview(_ block: TIFFBlock, _ bytes: Span<UInt8>) -> Bool {
    let known = Thumbnail(block, bytes)?.range
    let content = bytes.bytes(block.range)
    return content.indices.dropLast(2).contains { index in
      content[index] == 0xFF && content[index + 1] == 0xD8 && content[index + 2] == 0xFF
        && known?.contains(block.range.lowerBound + index) != true
    }
  }
}
