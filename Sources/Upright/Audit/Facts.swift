internal import JPEGCore

/// What an audit finds in a file besides the plan; nothing here decides what is done.
public struct Facts: Hashable, Sendable {
  /// The file's size in bytes.
  public var size = 0
  /// The number in Exif's Orientation, whether or not it has a meaning.
  public var exifOrientation: Int?
  /// The number in XMP's `tiff:Orientation`.
  public var xmpOrientation: Int?
  /// What a lossless transform would cut off, whatever the policy: columns and rows of the stored image; nil where
  /// no transform is due, or nothing would be lost.
  public var trimming: TrimmedEdges?
  /// Why the Orientation tag may be stale; empty where nothing suggests it, or more speaks for the tag.
  public var conflicts: [TagEvidence] = []
  /// Who made the camera and what it is called, as Exif says.
  public var camera: String?
  /// When the image was taken, by the camera's clock: `2024-05-06T07:08:09`, with a fraction of the second and
  /// the offset from UTC where they are known.
  public var captured: String?
  /// Whether Exif gives a latitude and a longitude, whether or not their values have a meaning.
  public var hasPosition = false
  /// Where the image was taken, as Exif says; nil where the values have no meaning.
  ///
  /// Reports of the command do not have it: they name no places.
  public var position: Position?
  /// The images in the file besides the first: the thumbnail, and those that an index lists.
  public var embeddedImages: [EmbeddedImage] = []
  /// Whether the file says that it holds a gain map for high dynamic range.
  public var hasGainMap = false
  /// Whether the file says that it holds a video.
  public var isMotionPhoto = false
  /// How many bytes follow the primary image, where something says so; nil where only its data would tell.
  public var trailingBytes: Int?
  /// Whether the file carries C2PA content credentials.
  public var hasContentCredentials = false
  /// Whether XMP names regions of the image, such as faces.
  public var hasRegions = false
  /// Whether Exif names the subject's place in the image.
  public var hasSubjectArea = false
}

extension Facts {
  /// A place on the earth, as the GPS directory of Exif gives it (Exif 3.0, 4.6.7).
  public struct Position: Hashable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public var longitude: Double
    /// Metres above sea level or above the ellipsoid, whichever GPSAltitudeRef names; nil where it is not given.
    public var altitude: Double?

    /// Makes a position.
    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude
    }
  }
}

extension Facts.Position {
  /// The position in an Exif block; nil where a coordinate or its hemisphere is missing or has no meaning.
  init?(_ block: TIFFBlock, _ bytes: Span<UInt8>) {
    guard let latitude = block.coordinate(.latitude, bytes),
      let longitude = block.coordinate(.longitude, bytes)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude, altitude: block.altitude(bytes))
  }
}
