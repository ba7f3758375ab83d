extension Verdict {
  /// Data of one kind that was compared as bytes and not interpreted: it is the same in both files, and whether it refers
  /// to the stored image is not known.
  public struct Unread: Hashable, Sendable {
    /// The kind of the data.
    public var kind: Kind
    /// Its name in the format, such as `APP7 "XYZ"`, the URI of a namespace, or the maker of a MakerNote.
    public var name: String
    /// How often it occurs in the original.
    public var count: Int
    /// The offset of the first occurrence in the original.
    public var offset: Int
    /// The text for people.
    public var text: String

    /// Creates an entry from its parts.
    package init(kind: Kind, name: String, count: Int, offset: Int, text: String) {
      self.kind = kind
      self.name = name
      self.count = count
      self.offset = offset
      self.text = text
    }

    /// Where data that is not interpreted can be.
    ///
    /// More may be added. Machine output contains the raw value.
    public enum Kind: String, CaseIterable, Sendable {
      /// An APPn segment of JPEG.
      case segment
      /// Bytes after the image.
      case trailer
      /// A box of JUMBF in APP11 segments.
      case jumbf = "jumbf-box"
      /// An image resource of Photoshop.
      case imageResource = "image-resource"
      /// A namespace of XMP.
      case namespace = "xmp-namespace"
      /// The private data of a camera maker.
      case makerNote = "makernote"
      /// A tag of Exif or TIFF.
      case tag = "tiff-tag"
      /// A directory of Exif or TIFF that a private tag points to.
      case directory = "tiff-directory"
      /// A box of HEIF or JPEG XL.
      case box
      /// An item of HEIF.
      case item
      /// A chunk of PNG or WebP.
      case chunk

      /// The kind as text for people, before a name.
      var text: String {
        switch self {
        case .segment: "the segment"
        case .trailer: "after the image:"
        case .jumbf: "the JUMBF box"
        case .imageResource: "Photoshop's resource"
        case .namespace: "XMP of"
        case .makerNote: "the MakerNote of"
        case .tag: "the tag"
        case .directory: "the directory of the tag"
        case .box: "the box"
        case .item: "the item"
        case .chunk: "the chunk"
        }
      }
    }
  }
}
