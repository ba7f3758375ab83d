internal import FileBytes
public import ImageOrientation

/// What an audit finds in a file besides the plan.
///
/// The facts do not influence the plan.
public struct Facts: Hashable, Sendable {
  /// The file's size in bytes.
  public var size = 0
  /// The orientation that the format itself states: `irot` and `imir` of HEIF, the codestream of JPEG XL, the matrix of a
  /// video track, or the rotation of X3F and CRW.
  public var formatOrientation: Orientation?
  /// Whether all readers show the image in the same orientation, whichever statement they obey; nil for JPEG.
  public var orientationsAgree: Bool?
  /// The value of Exif's Orientation, even if it is invalid.
  public var exifOrientation: Int64?
  /// The value of XMP's `tiff:Orientation`.
  public var xmpOrientation: Int64?
  /// The columns and rows of the stored image that a lossless transform would cut off, regardless of the policy; nil if
  /// the image is upright or nothing would be cut off.
  public var trimming: TrimmedEdges?
  /// The evidence of a stale Orientation tag; empty if none is suspected.
  public var conflicts: [TagEvidence] = []
  /// The make and model of the camera, as Exif gives them.
  public var camera: String?
  /// The capture time by the camera's clock: `2024-05-06T07:08:09`, with the fraction of the second and the offset from
  /// UTC if they are known.
  public var captured: String?
  /// Whether Exif gives a latitude and a longitude, even if they are invalid.
  public var hasPosition = false
  /// The position that Exif gives, or nil if it is invalid.
  ///
  /// Reports of the command do not contain it.
  public var position: Position?
  /// The embedded images: the thumbnail and those listed in an index.
  public var embeddedImages: [EmbeddedImage] = []
  /// Whether Exif has a thumbnail.
  public var hasThumbnail = false
  /// The transform after which the thumbnail of an upright image would show it upright, too.
  ///
  /// Nil if it does already, or if that is unknown: only an audit that reads whole files knows it.
  public var thumbnailTransform: OrientationTransform?
  /// Whether the metadata describes a gain map for high dynamic range.
  public var hasGainMap = false
  /// Whether the metadata describes a video.
  public var isMotionPhoto = false
  /// The number of bytes after the primary image; nil if the metadata does not give it and the file was not read as a
  /// whole.
  public var trailingBytes: Int?
  /// Whether the file ends with EOI, as one does that ends with its image, or with another one after it.
  package var endsWithEOI = false
  /// Whether the file has C2PA content credentials.
  public var hasContentCredentials = false
  /// Whether the file holds the data to undo its last rewrite.
  public var hasUndoData = false
  /// Whether XMP describes regions of the image, such as faces.
  public var hasRegions = false
  /// Whether Exif gives SubjectArea or SubjectLocation.
  public var hasSubjectArea = false
}

extension Facts {
  /// A geographic position from the GPS IFD of Exif (Exif 3.0, 4.6.7).
  public struct Position: Hashable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public var longitude: Double
    /// Metres above sea level or above the ellipsoid, as GPSAltitudeRef states; nil if it is not given.
    public var altitude: Double?

    /// Creates a position.
    package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude
    }
  }
}

extension Facts.Position {
  /// Reads the position of an Exif block; nil if a coordinate or its hemisphere is missing or invalid.
  init?(_ block: TIFFBlock, _ bytes: Span<UInt8>) {
    guard let latitude = block.coordinate(.latitude, bytes),
      let longitude = block.coordinate(.longitude, bytes)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude, altitude: block.altitude(bytes))
  }
}
