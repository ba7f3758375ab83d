/// An Exif block as libexif reads it: an independent reading for reports and tests.
///
/// Nothing is written, and libexif is set to repair nothing. libexif does not list the tags that it follows: the
/// pointers to the Exif, GPS and Interop directories, and the thumbnail's offset and length (0x8769, 0x8825, 0xA005,
/// 0x0201, 0x0202). Of duplicate tags in a directory it reads the first.
package struct ExifReference: Sendable {
  /// The byte order of integers.
  package enum ByteOrder: Sendable {
    case littleEndian
    case bigEndian
  }

  /// The block's byte order.
  package var byteOrder: ByteOrder
  /// All tags, by directory in the order of `ReferenceTag.Directory`, in file order within each.
  package var tags: [ReferenceTag]
  /// The entries of the maker note; empty if libexif does not support the maker.
  package var makerNote: [MakerNoteEntry]

  /// Reads an Exif block; nil if libexif finds no tag in it or exceeds the memory limit.
  ///
  /// - Parameter app1Payload: The payload of an APP1 segment, beginning with `Exif\0\0`.
  package init?(app1Payload: [UInt8]) {
    guard app1Payload.starts(with: Self.signature), let block = LibexifBlock(app1Payload) else {
      return nil
    }
    byteOrder = block.byteOrder
    tags = block.tags()
    makerNote = block.makerNote()
    guard !tags.isEmpty else { return nil }
  }

  private static let signature: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

  /// Returns the tag with a number in a directory, or nil.
  package func tag(_ number: UInt16, in directory: ReferenceTag.Directory) -> ReferenceTag? {
    tags.first { $0.tag == number && $0.directory == directory }
  }
}
