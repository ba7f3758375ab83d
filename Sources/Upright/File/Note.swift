/// A remark on a file for people, such as a field that is kept although it describes the image as it was stored.
public struct Note: Hashable, Sendable {
  /// The identifier of a note; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public var rawValue: String

    /// Creates a code from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The identifier.
  public var code: Code
  /// The text for people.
  public var text: String
  /// What changes what is noted.
  public var remedies: [Remedy]

  /// Creates a note from its parts.
  public init(_ code: Code, _ text: String, remedies: [Remedy] = []) {
    self.code = code
    self.text = text
    self.remedies = remedies
  }
}

extension Note: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension Note.Code {
  /// Orientation is 0 and is treated as 1.
  public static let unknownOrientation = Note.Code(rawValue: "unknown-orientation")
  /// XMP and Exif give different orientations.
  public static let xmpDisagrees = Note.Code(rawValue: "xmp-disagrees")
  /// The orientation is that of XMP, because Exif has none.
  public static let orientationFromXMP = Note.Code(rawValue: "orientation-from-xmp")
  /// There is evidence against an Orientation tag that is trusted.
  public static let tagTrusted = Note.Code(rawValue: "tag-trusted")
  /// A copy of Orientation is kept, and some readers apply it.
  public static let orientationCopy = Note.Code(rawValue: "orientation-copy")
  /// Orientation in Exif was ignored, because the format has its own.
  public static let orientationIgnored = Note.Code(rawValue: "orientation-ignored")
  /// The Orientation of other pages is kept.
  public static let otherPages = Note.Code(rawValue: "other-pages")
  /// X and Y resolutions are kept although the axes are swapped.
  public static let resolutionKept = Note.Code(rawValue: "resolution-kept")
  /// SubjectArea or SubjectLocation in Exif is kept.
  public static let subjectKept = Note.Code(rawValue: "subject-kept")
  /// Other regions are kept.
  public static let regionKept = Note.Code(rawValue: "region-kept")
  /// Registered data is kept, and does not fit the image or shows it as it was stored.
  public static let registeredData = Note.Code(rawValue: "registered-data")
  /// The content credentials are kept and no longer match the file.
  public static let credentialsInvalid = Note.Code(rawValue: "credentials-invalid")
  /// An XMP packet cannot be read.
  public static let xmpUnreadable = Note.Code(rawValue: "xmp-unreadable")
  /// An XMP packet has no room for the new dimensions.
  public static let xmpDimensionsStale = Note.Code(rawValue: "xmp-dimensions-stale")
  /// Metadata cannot be read in the form that it has.
  public static let metadataNotRead = Note.Code(rawValue: "metadata-not-read")
  /// Some readers do not find or accept metadata.
  public static let metadataIgnored = Note.Code(rawValue: "metadata-ignored")
  /// An image or a video track is not there or cannot be read.
  public static let imageNotRead = Note.Code(rawValue: "image-not-read")
  /// Pages of the file were not read.
  public static let pagesNotRead = Note.Code(rawValue: "pages-not-read")
  /// A thumbnail is kept.
  public static let thumbnailKept = Note.Code(rawValue: "thumbnail-kept")
  /// A thumbnail is removed.
  public static let thumbnailRemoved = Note.Code(rawValue: "thumbnail-removed")
  /// An image in the file is kept.
  public static let imageKept = Note.Code(rawValue: "image-kept")
  /// An image in the file is removed.
  public static let imageRemoved = Note.Code(rawValue: "image-removed")
  /// An image in the file is re-encoded.
  public static let imageReencoded = Note.Code(rawValue: "image-reencoded")
  /// The image was not checked.
  public static let imageNotChecked = Note.Code(rawValue: "image-not-checked")
  /// Stray bytes are removed.
  public static let strayBytes = Note.Code(rawValue: "stray-bytes")
  /// The file does not end as the format requires.
  public static let noEndOfImage = Note.Code(rawValue: "no-end-of-image")
  /// Data after the image moves.
  public static let dataMoved = Note.Code(rawValue: "data-moved")
  /// Data after the image is kept.
  public static let trailerKept = Note.Code(rawValue: "trailer-kept")
  /// An ICC profile was made.
  public static let profileMade = Note.Code(rawValue: "profile-made")
}
