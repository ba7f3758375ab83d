extension Note {
  /// The identifier of a note.
  ///
  /// More may be added. Machine output contains the raw value; `docs/identifiers.md` lists the identifiers.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public var rawValue: String

    /// Creates a code from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ known: Known) { rawValue = known.rawValue }

    /// Orientation is 0 and is treated as 1.
    package static let unknownOrientation = Code(.unknownOrientation)
    /// XMP and Exif give different orientations.
    package static let xmpDisagrees = Code(.xmpDisagrees)
    /// The orientation is that of XMP, because Exif has none.
    package static let orientationFromXMP = Code(.orientationFromXMP)
    /// There is evidence against an Orientation tag that is trusted.
    package static let tagTrusted = Code(.tagTrusted)
    /// A copy of Orientation is kept, and some readers apply it.
    package static let orientationCopy = Code(.orientationCopy)
    /// Orientation in Exif was ignored, because the format has its own.
    package static let orientationIgnored = Code(.orientationIgnored)
    /// The Orientation of other pages is kept.
    package static let otherPages = Code(.otherPages)
    /// X and Y resolutions are kept although the axes are swapped.
    package static let resolutionKept = Code(.resolutionKept)
    /// SubjectArea or SubjectLocation in Exif is kept.
    package static let subjectKept = Code(.subjectKept)
    /// Other regions are kept.
    package static let regionKept = Code(.regionKept)
    /// Registered data is kept, and does not fit the image or shows it as it was stored.
    package static let registeredData = Code(.registeredData)
    /// The content credentials are kept and no longer match the file.
    package static let credentialsInvalid = Code(.credentialsInvalid)
    /// An XMP packet cannot be read.
    package static let xmpUnreadable = Code(.xmpUnreadable)
    /// An XMP packet has no room for the new dimensions.
    package static let xmpDimensionsStale = Code(.xmpDimensionsStale)
    /// Metadata cannot be read in the form that it has.
    package static let metadataNotRead = Code(.metadataNotRead)
    /// Some readers do not find or accept metadata.
    package static let metadataIgnored = Code(.metadataIgnored)
    /// An image or a video track is not there or cannot be read.
    package static let imageNotRead = Code(.imageNotRead)
    /// Pages of the file were not read.
    package static let pagesNotRead = Code(.pagesNotRead)
    /// A thumbnail is kept.
    package static let thumbnailKept = Code(.thumbnailKept)
    /// A thumbnail is removed.
    package static let thumbnailRemoved = Code(.thumbnailRemoved)
    /// An image in the file is kept.
    package static let imageKept = Code(.imageKept)
    /// An image in the file is removed.
    package static let imageRemoved = Code(.imageRemoved)
    /// An image in the file is re-encoded.
    package static let imageReencoded = Code(.imageReencoded)
    /// The image was not checked.
    package static let imageNotChecked = Code(.imageNotChecked)
    /// Some readers do not show an image that is mirrored.
    package static let mirrorNotShown = Code(.mirrorNotShown)
    /// There are bytes that belong to no segment and no MCU.
    package static let strayBytes = Code(.strayBytes)
    /// The file does not end as the format requires.
    package static let noEndOfImage = Code(.noEndOfImage)
    /// Data after the image moves.
    package static let dataMoved = Code(.dataMoved)
    /// Data after the image is kept.
    package static let trailerKept = Code(.trailerKept)
    /// An ICC profile was made.
    package static let profileMade = Code(.profileMade)
    /// An undo record is not in the file.
    package static let noUndoData = Code(.noUndoData)
    /// The undo data of an earlier rewrite is removed.
    package static let undoDataRemoved = Code(.undoDataRemoved)
    /// The file is one of a pair, such as RAW and JPEG.
    package static let paired = Code(.paired)
    /// A file beside the photo no longer fits it.
    package static let neighbour = Code(.neighbour)
    /// The name has the ending of another format.
    package static let misnamed = Code(.misnamed)
    /// The new file does not have the owner of the file.
    package static let ownerLost = Code(.ownerLost)
    /// The new file does not have the group of the file.
    package static let groupLost = Code(.groupLost)
    /// The new file does not have the access rights of the file.
    package static let modeLost = Code(.modeLost)
    /// The new file lacks an extended attribute.
    package static let attributeLost = Code(.attributeLost)
    /// The journal or the file of reports could not be written.
    package static let logNotWritten = Code(.logNotWritten)
  }
}

extension Note.Code {
  /// The identifiers of all notes, in the order of the documentation: without a meaning, none compiles.
  package enum Known: String, CaseIterable, Sendable {
    case unknownOrientation = "unknown-orientation"
    case xmpDisagrees = "xmp-disagrees"
    case orientationFromXMP = "orientation-from-xmp"
    case tagTrusted = "tag-trusted"
    case orientationCopy = "orientation-copy"
    case orientationIgnored = "orientation-ignored"
    case otherPages = "other-pages"
    case resolutionKept = "resolution-kept"
    case subjectKept = "subject-kept"
    case regionKept = "region-kept"
    case registeredData = "registered-data"
    case credentialsInvalid = "credentials-invalid"
    case xmpUnreadable = "xmp-unreadable"
    case xmpDimensionsStale = "xmp-dimensions-stale"
    case metadataNotRead = "metadata-not-read"
    case metadataIgnored = "metadata-ignored"
    case imageNotRead = "image-not-read"
    case pagesNotRead = "pages-not-read"
    case thumbnailKept = "thumbnail-kept"
    case thumbnailRemoved = "thumbnail-removed"
    case imageKept = "image-kept"
    case imageRemoved = "image-removed"
    case imageReencoded = "image-reencoded"
    case imageNotChecked = "image-not-checked"
    case mirrorNotShown = "mirror-not-shown"
    case strayBytes = "stray-bytes"
    case noEndOfImage = "no-end-of-image"
    case dataMoved = "data-moved"
    case trailerKept = "trailer-kept"
    case profileMade = "profile-made"
    case noUndoData = "no-undo-data"
    case undoDataRemoved = "undo-data-removed"
    case paired
    case neighbour
    case misnamed
    case ownerLost = "owner-lost"
    case groupLost = "group-lost"
    case modeLost = "mode-lost"
    case attributeLost = "attribute-lost"
    case logNotWritten = "log-not-written"

    /// Whether it is a warning: the new file lacks something although the photo was processed.
    package var isWarning: Bool {
      switch self {
      case .ownerLost, .groupLost, .modeLost, .attributeLost, .logNotWritten: true
      default: false
      }
    }
  }
}
