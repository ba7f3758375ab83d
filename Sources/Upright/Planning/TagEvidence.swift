/// Something in a file that suggests that its Orientation tag is stale.
public struct TagEvidence: Hashable, Sendable {
  /// What kind of evidence this is.
  public var kind: Kind
  /// The evidence in words, with its numbers.
  public var text: String

  /// The kinds of evidence; the raw value is the identifier in machine output, and `docs/output.md` lists them.
  public enum Kind: String, Hashable, Sendable {
    /// Recorded dimensions are those of the image with width and height swapped.
    case dimensionsSwapped = "dimensions-swapped"
    /// Recorded dimensions of another size are landscape and the image is portrait, or the reverse.
    case dimensionsShape = "dimensions-shape"
    /// The thumbnail has the proportions of the image with width and height swapped.
    case thumbnailSwapped = "thumbnail-swapped"
    /// The thumbnail has other proportions and is landscape while the image is portrait, or the reverse.
    case thumbnailShape = "thumbnail-shape"
    /// The panorama that XMP describes has the proportions of the image as it is stored.
    case panorama
    /// The file was written by a program that rewrites images.
    case software
  }

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
