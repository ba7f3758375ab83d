/// What an audit finds in a file besides the plan; nothing here decides what is done.
public struct Facts: Hashable, Sendable {
  /// The file's size in bytes.
  public var size = 0
  /// The number in EXIF's Orientation, whether or not it has a meaning.
  public var exifOrientation: Int?
  /// The number in XMP's `tiff:Orientation`.
  public var xmpOrientation: Int?
  /// What a lossless turn would cut off, whatever the policy: columns and rows of the stored picture; nil where
  /// no turn is due, or nothing would be lost.
  public var trimming: TrimmedEdges?
  /// Why the Orientation tag may be stale; empty where nothing suggests it, or more speaks for the tag.
  public var conflicts: [TagEvidence] = []
  /// Who made the camera and what it is called, as EXIF says.
  public var camera: String?
  /// When the picture was taken, by the camera's clock: `2024-05-06T07:08:09`, with a fraction of the second and
  /// the offset from UTC where they are known.
  public var captured: String?
  /// Whether EXIF gives a latitude and a longitude.
  public var hasPosition = false
  /// The pictures in the file besides the first: the thumbnail, and those that an index lists.
  public var pictures: [EmbeddedPicture] = []
  /// Whether the file says that it holds a gain map for high dynamic range.
  public var hasGainMap = false
  /// Whether the file says that it holds a film.
  public var isMotionPhoto = false
  /// How many bytes follow the first picture, where something says so; nil where only its data would tell.
  public var trailingBytes: Int?
  /// Whether the file carries C2PA content credentials.
  public var hasContentCredentials = false
  /// Whether XMP names regions of the picture, such as faces.
  public var hasRegions = false
  /// Whether EXIF names the subject's place in the picture.
  public var hasSubjectArea = false
}
