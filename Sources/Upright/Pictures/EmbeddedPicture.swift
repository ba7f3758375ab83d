/// A picture or film inside a JPEG file besides the primary picture, and what becomes of it.
public struct EmbeddedPicture: Hashable, Sendable {
  /// What it is for.
  public enum Role: String, CaseIterable, Sendable {
    /// The thumbnail of EXIF's IFD1.
    case thumbnail
    /// A gain map for high dynamic range, pixel by pixel tied to the primary picture.
    case gainMap = "gain-map"
    /// A depth map, tied to the primary picture.
    case depthMap = "depth-map"
    /// A matte of a person, hair, skin or sky, tied to the primary picture.
    case matte
    /// A smaller rendition of the primary picture.
    case preview
    /// A picture of its own: another view, or the original of an edited one.
    case view
    /// The film of a motion photo.
    case video
    /// Nothing in the file says what it is for.
    case unknown
  }

  /// What becomes of it.
  public enum Fate: String, CaseIterable, Sendable {
    /// It is turned with the primary picture, coefficient by coefficient.
    case turned
    /// It is turned and redrawn at its own quality, for its edge is not a whole number of blocks.
    case redrawn
    /// It is made anew from the cropped picture, for it showed what was cut away.
    case renewed
    /// It is not in the new file, for it shows what was cut away or does not fit the cropped picture.
    case removed
    /// It is copied byte for byte, as it should be.
    case kept
    /// It is copied byte for byte although it shows the picture as it was stored.
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
  public var fate: Fate

  /// Describes an embedded picture.
  public init(role: Role, range: Range<Int>, width: Int?, height: Int?, fate: Fate) {
    self.role = role
    self.range = range
    self.width = width
    self.height = height
    self.fate = fate
  }
}
