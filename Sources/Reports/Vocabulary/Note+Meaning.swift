package import Upright

extension Note.Code.Known {
  /// What it means, as sentences with Markdown for a page of docs.
  package var meaning: String {
    switch self {
    case .unknownOrientation: "Orientation is 0 and is treated as 1."
    case .xmpDisagrees: "XMP and Exif give different orientations."
    case .orientationFromXMP: "The orientation is that of XMP, because Exif has none."
    case .tagTrusted: "There is evidence against an Orientation tag that is trusted."
    case .orientationCopy: "A copy of Orientation is kept, and some readers apply it."
    case .orientationIgnored: "Orientation in Exif was ignored, because the format has its own."
    case .otherPages: "The Orientation of other pages is kept."
    case .resolutionKept: "X and Y resolutions are kept although the axes are swapped."
    case .subjectKept: "SubjectArea or SubjectLocation in Exif is kept."
    case .regionKept: "Other regions are kept."
    case .registeredData:
      "Registered data is kept, and does not fit the image or shows it as it was stored."
    case .credentialsInvalid: "The content credentials are kept and no longer match the file."
    case .xmpUnreadable: "An XMP packet cannot be read."
    case .xmpDimensionsStale: "An XMP packet has no room for the new dimensions."
    case .metadataNotRead: "Metadata cannot be read in the form that it has."
    case .metadataIgnored: "Some readers do not find or accept metadata."
    case .imageNotRead: "An image or a video track is not there or cannot be read."
    case .pagesNotRead: "Pages of the file were not read."
    case .thumbnailKept: "A thumbnail is kept."
    case .thumbnailRemoved: "A thumbnail is removed."
    case .imageKept: "An image in the file is kept."
    case .imageRemoved: "An image in the file is removed."
    case .imageReencoded: "An image in the file is re-encoded."
    case .imageNotChecked: "The image exceeds a limit, and so was not checked."
    case .mirrorNotShown:
      "Some readers do not show a mirrored HEIF or AVIF image of more than 8 bits per sample."
    case .strayBytes: "There are bytes that belong to no segment and no MCU."
    case .noEndOfImage: "The file does not end as the format requires."
    case .dataMoved: "Data after the image moves."
    case .trailerKept: "Data after the image is kept."
    case .profileMade: "An ICC profile was made."
    case .noUndoData: "An undo record is not in the file."
    case .undoDataRemoved: "The undo data of an earlier rewrite is removed."
    case .paired: "The file is one of a pair, such as RAW and JPEG."
    case .neighbour: "A file beside the photo no longer fits it."
    case .misnamed: "The name has the ending of another format."
    case .ownerLost: "The system refused to give the new file the owner of the file."
    case .groupLost: "The system refused to give the new file the group of the file."
    case .modeLost:
      "Who may read a file is the same for all files of the file system, so the new file does not "
        + "have the access rights of the file."
    case .attributeLost: "The system refused to copy an extended attribute."
    case .logNotWritten: "The journal or the file of reports could not be written."
    }
  }
}
