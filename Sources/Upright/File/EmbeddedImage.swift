/// An image or video in a JPEG file besides the primary image, with its disposition.
public struct EmbeddedImage: Hashable, Sendable {
  /// The purpose of the image.
  public enum Role: String, CaseIterable, Sendable {
    /// The thumbnail of Exif's IFD1.
    case thumbnail
    /// A gain map for high dynamic range, aligned with the primary image.
    case gainMap = "gain-map"
    /// A depth map, aligned with the primary image.
    case depthMap = "depth-map"
    /// A matte of a person, hair, skin or sky, aligned with the primary image.
    case matte
    /// A smaller rendition of the primary image.
    case preview
    /// An independent image: another view, or the original of an edited image.
    case view
    /// The video of a motion photo.
    case video
    /// The purpose is unknown.
    case unknown
  }

  /// What happens to the image.
  public enum Disposition: String, CaseIterable, Sendable {
    /// It is transformed losslessly with the primary image.
    case transformed
    /// It is transformed, and affected components are re-encoded with their own quantization tables.
    case reencoded = "re-encoded"
    /// It is regenerated from the cropped image.
    case regenerated
    /// It is removed, because it shows what was cut away or cannot be cropped with the image.
    case removed
    /// It is copied byte for byte and is correct.
    case kept
    /// It is copied byte for byte although it shows the image as it was stored.
    case stale
  }

  /// The purpose of the image.
  public var role: Role
  /// Its range in the original file.
  public var range: Range<Int>
  /// Its stored width in pixels, or nil if it cannot be read.
  public var width: Int?
  /// Its stored height in pixels, or nil if it cannot be read.
  public var height: Int?
  /// What happens to the image.
  public var disposition: Disposition

  /// Creates a description of an embedded image.
  package init(role: Role, range: Range<Int>, width: Int?, height: Int?, disposition: Disposition) {
    self.role = role
    self.range = range
    self.width = width
    self.height = height
    self.disposition = disposition
  }
}
