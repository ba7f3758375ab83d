/// Evidence in a file that its Orientation tag is stale.
public struct TagEvidence: Hashable, Sendable {
  /// The kind of evidence.
  public var kind: Kind
  /// The evidence as text, with its numbers.
  public var text: String

  /// A kind of evidence.
  ///
  /// More may be added. Machine output contains the raw value; `docs/identifiers.md` lists them.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public var rawValue: String

    /// Creates a kind from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Recorded dimensions are those of the image, swapped.
    package static let dimensionsSwapped = Kind(rawValue: "dimensions-swapped")
    /// Recorded dimensions differ in size and are landscape while the image is portrait, or the reverse.
    package static let dimensionsShape = Kind(rawValue: "dimensions-shape")
    /// The thumbnail has the proportions of the image with width and height swapped.
    package static let thumbnailSwapped = Kind(rawValue: "thumbnail-swapped")
    /// The thumbnail has other proportions and is landscape while the image is portrait, or the reverse.
    package static let thumbnailShape = Kind(rawValue: "thumbnail-shape")
    /// The panorama that XMP describes has the proportions of the image as it is stored.
    package static let panorama = Kind(rawValue: "panorama")
    /// A camera's image with a tag that rotates it by 90° is stored in portrait format; cameras store landscape.
    package static let storedPortrait = Kind(rawValue: "stored-portrait")
    /// The thumbnail of such an image is in portrait format, too, so the program that rotated one rotated both.
    package static let thumbnailPortrait = Kind(rawValue: "thumbnail-portrait")
    /// The thumbnail shows the image in another orientation; known only if the whole file is read.
    package static let thumbnailContent = Kind(rawValue: "thumbnail-content")
    /// Only XMP gives an Orientation; browsers and iOS ignore it.
    package static let xmpOnly = Kind(rawValue: "xmp-only")
    /// The identifier of Exif is there twice; most programs do not find the Orientation after it.
    package static let repeatedIdentifier = Kind(rawValue: "exif-twice")
    /// A JFIF segment precedes Exif in the file of a camera.
    package static let jfifFirst = Kind(rawValue: "jfif-first")
    /// The chroma of a camera's image is subsampled vertically only, as after a rotation of 4:2:2.
    package static let sampling = Kind(rawValue: "sampling")
    /// The file was written by a program that rewrites images.
    package static let software = Kind(rawValue: "software")

    /// The kinds that the library finds.
    package static var all: [Kind] {
      [
        .dimensionsSwapped, .dimensionsShape, .thumbnailSwapped, .thumbnailShape,
        .thumbnailPortrait, .thumbnailContent, .panorama, .software, .storedPortrait, .jfifFirst,
        .repeatedIdentifier,
        .sampling, .xmpOnly,
      ]
    }
  }

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
