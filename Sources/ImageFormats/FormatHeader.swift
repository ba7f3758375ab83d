internal import FileBytes
internal import ISOBMFF
package import ImageOrientation

/// What the header of an image file states, without a judgment.
package struct FormatHeader: Sendable {
  package var format: ImageFormat
  /// The stored size in pixels, before any rotation.
  package var width = 0
  package var height = 0
  /// The rotation and mirroring that the format itself states, such as `irot` and `imir` or the codestream of JPEG XL; nil
  /// if it states none.
  package var stated: OrientationTransform?
  /// The pages of a TIFF file; the first is IFD0.
  package var pages: [TIFFPage] = []
  /// Whether a TIFF file has more pages than are read.
  package var hasMorePages = false
  /// The bytes that the parts of a TIFF file use; nil if there are too many parts.
  var claims: ByteClaims?
  /// The box `meta` of a HEIF file.
  var items: ItemBox?
  /// Why no decoder can show the image, as far as the boxes show it; nil if one may.
  package var damage: String?
  /// Where a new chunk of metadata can be inserted in a PNG file.
  var placeForChunk: Int?
  /// The chunks of a PNG file whose length must not change: from Apple's iDOT to the chunk IDAT that it refers to.
  var fixedChunks: Range<Int>?
  /// Make and model in IFD0 of a TIFF file, or in a CRW file.
  package var make: String?
  package var model: String?
  /// The Exif blocks, each from its byte order mark; the first is the one that readers use.
  package var exif: [MetadataPart] = []
  /// When and where the photo was taken, as an Exif block, of a file without one; nil if it is not known.
  package var capture: [UInt8]?
  /// The XMP packets.
  package var xmp: [MetadataPart] = []
  /// Images besides the primary one.
  package var images: [OtherImage] = []
  /// Whether the file has a video besides the image.
  package var hasVideo = false
  /// The number of bytes after the boxes of a HEIF file, which belong to none, and their description.
  package var trailer: (count: Int, description: String)?
  /// Whether the file has C2PA content credentials.
  package var hasCredentials = false
  /// What was not read, as text.
  package var notes: [FormatNote] = []

  package init(_ format: ImageFormat) { self.format = format }

  /// An image besides the primary one.
  package struct OtherImage: Sendable {
    /// The purpose of the image, with the names that reports use.
    package enum Role: String, Sendable {
      case thumbnail, matte, unknown
      case gainMap = "gain-map"
      case depthMap = "depth-map"
    }

    package var role: Role
    /// Where its data begins and ends.
    package var range: Range<Int>
    package var width: Int?
    package var height: Int?
  }

  mutating func note(_ kind: FormatNote.Kind, _ text: String) {
    notes.append(FormatNote(kind, text))
  }
}
