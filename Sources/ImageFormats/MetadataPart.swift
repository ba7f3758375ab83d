/// An Exif block or an XMP packet, and the part of the file that has it.
package struct MetadataPart: Sendable {
  /// The part of the file: an item, a chunk with its type, or the packet itself.
  package let content: [UInt8]
  /// Where the block or the packet is in `content`.
  package let range: Range<Int>
  /// The offset of `content` in the file; nil if the file has it in another form, such as compressed.
  package let start: Int?
  /// Why readers may ignore the part, as text; nil if they do not.
  package var problem: String?

  /// The block or the packet.
  package var bytes: [UInt8] { Array(content[range]) }

  init(_ content: [UInt8], _ range: Range<Int>? = nil, at start: Int?) {
    self.content = content
    self.range = range ?? content.indices
    self.start = start
  }

  /// Creates the part of an Exif block, with or without the identifier of JPEG's segments before it.
  init(exif content: [UInt8], after prefix: Int = 0, at start: Int?) {
    let isIdentified = content.dropFirst(prefix).starts(with: "Exif\0\0".utf8)
    self.init(
      content,
      min(content.count, prefix + (isIdentified ? 6 : 0))..<content.count,
      at: start
    )
  }
}
