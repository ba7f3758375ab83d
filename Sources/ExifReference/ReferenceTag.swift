/// One Exif tag as libexif reads it.
package struct ReferenceTag: Sendable, Hashable {
  /// The directory (IFD) of a tag.
  package enum Directory: String, Sendable, CaseIterable {
    case ifd0 = "IFD0"
    case ifd1 = "IFD1"
    case exif = "Exif"
    case gps = "GPS"
    case interoperability = "Interop"
  }

  /// The directory of the tag.
  package var directory: Directory
  /// The tag's number, such as 0x9003.
  package var tag: UInt16
  /// libexif's name in that directory, such as `DateTimeOriginal`; `0xFDE9` if it has none.
  package var name: String
  /// The TIFF type of the value, 1…12.
  package var format: UInt16
  /// The number of values of that type.
  package var components: Int
  /// The raw value, in the byte order of the block.
  package var bytes: [UInt8]
  /// The value for people: trimmed, control characters escaped, truncated after about 1,000 bytes.
  package var text: String

  /// Returns the name of a tag without a name: its number, `0xFDE9`.
  static func unknownName(_ tag: UInt16) -> String {
    let digits = String(tag, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
