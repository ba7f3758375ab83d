/// An image or video inside a JPEG file besides the primary image, and what becomes of it.
public struct EmbeddedImage: Hashable, Sendable {
  /// What it is for.
  public enum Role: String, CaseIterable, Sendable {
    /// The thumbnail of Exif's IFD1.
    case thumbnail
    /// A gain map for high dynamic range, pixel by pixel tied to the primary image.
    case gainMap = "gain-map"
    /// A depth map, tied to the primary image.
    case depthMap = "depth-map"
    /// A matte of a person, hair, skin or sky, tied to the primary image.
    case matte
    /// A smaller rendition of the primary image.
    case preview
    /// An image of its own: another view, or the original of an edited one.
    case view
    /// The video of a motion photo.
    case video
    /// Nothing in the file says what it is for.
    case unknown
  }

  /// What becomes of it.
  public enum Disposition: String, CaseIterable, Sendable {
    /// It is transformed with the primary image, coefficient by coefficient.
    case transformed
    /// It is transformed and re-encoded at its own quality, for its edge is not a whole number of blocks.
    case reencoded = "re-encoded"
    /// It is regenerated from the cropped image, for it showed what was cut away.
    case regenerated
    /// It is not in the new file, for it shows what was cut away or does not fit the cropped image.
    case removed
    /// It is copied byte for byte, as it should be.
    case kept
    /// It is copied byte for byte although it shows the image as it was stored.
    case stale
  }

  /// What it is for.
  public var role: Role
  /// Where it stands in the original file.
  public var range: Range<Int>
  /// Its stored width in pixels, where it can be read.
  public var width: Int?
  /// Its stored height in pixels, where it can be read.
  public var height: Int?
  /// What becomes of it.
  public var disposition: Disposition

  /// Describes an embedded image.
  public init(role: Role, range: Range<Int>, width: Int?, height: Int?, disposition: Disposition) {
    self.role = role
    self.range = range
    self.width = width
    self.height = height
    self.disposition = disposition
  }
}
