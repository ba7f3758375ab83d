/// A second opinion on an Exif block: what libexif reads in it, for people and for tests.
///
/// Nothing here writes, and libexif is told to repair nothing. It keeps to itself the tags that
/// it follows instead of listing: the pointers to the Exif, GPS and Interop directories and the
/// thumbnail's offset and length (0x8769, 0x8825, 0xA005, 0x0201, 0x0202). Of a tag that stands
/// twice in a directory it reads the first.
package struct ExifReference: Sendable {
  /// The order of the bytes of numbers.
  package enum ByteOrder: Sendable {
    case littleEndian
    case bigEndian
  }

  /// The byte order the block declares.
  package var byteOrder: ByteOrder
  /// Every tag, by directory in the order of `ReferenceTag.Directory`, in file order within one.
  package var tags: [ReferenceTag]
  /// The maker note's entries; empty when libexif does not know the maker.
  package var makerNote: [MakerNoteEntry]

  /// Reads an Exif block; nil when libexif finds no tag in it or needs unreasonable memory.
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

  /// The tag with this number in this directory, if it is there.
  package func tag(_ number: UInt16, in directory: ReferenceTag.Directory) -> ReferenceTag? {
    tags.first { $0.tag == number && $0.directory == directory }
  }
}
