extension Reason {
  /// The identifier of a reason.
  ///
  /// More may be added, and programs may define their own.
  ///
  /// Machine output contains the raw value; `docs/identifiers.md` lists the identifiers.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public var rawValue: String

    /// Creates a code from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ known: Known) { rawValue = known.rawValue }

    /// Orientation is 1.
    public static let upright = Code(.upright)
    /// There is no Orientation.
    public static let noOrientation = Code(.noOrientation)
    /// Orientation is 0, which means unknown, and is treated as 1.
    public static let unknownOrientation = Code(.unknownOrientation)
    /// The stored image already has the requested orientation.
    public static let asStored = Code(.asStored)
    /// Orientation already has the requested value.
    public static let tagAlready = Code(.tagAlready)
    /// Exif has no Orientation tag, and no room for one.
    public static let noOrientationEntry = Code(.noOrientationEntry)
    /// A new Exif block would move data that offsets point to.
    public static let noRoomForExif = Code(.noRoomForExif)
    /// Orientation is not 1 to 8.
    public static let reservedOrientation = Code(.reservedOrientation)
    /// Several Orientation tags contradict each other.
    public static let unclearOrientation = Code(.unclearOrientation)
    /// The Exif block cannot be read.
    public static let exifUnreadable = Code(.exifUnreadable)
    /// The file does not have the requested page.
    public static let noPage = Code(.noPage)
    /// A lossless transform would cut off partial MCUs.
    public static let unalignedEdge = Code(.unalignedEdge)
    /// A stale Orientation tag is suspected; ``Reason/evidence`` lists the evidence.
    public static let conflict = Code(.conflict)
    /// A gain map, depth map or matte cannot be transformed with the image.
    public static let embeddedImage = Code(.embeddedImage)
    /// Data that is registered to the pixels would no longer fit the image.
    public static let registeredData = Code(.registeredData)
    /// Two fields that must change share the same bytes.
    public static let sharedBytes = Code(.sharedBytes)
    /// Data after the image must move, but contains offsets from the start of the file.
    public static let absoluteOffsets = Code(.absoluteOffsets)
    /// The C2PA content credentials would become invalid.
    public static let contentCredentials = Code(.contentCredentials)
    /// JPEG XT data refines the stored image.
    public static let jpegXT = Code(.jpegXT)
    /// The image is arithmetic-coded.
    public static let arithmeticCoding = Code(.arithmeticCoding)
    /// The image is lossless or hierarchical JPEG, which is not supported.
    public static let codingProcess = Code(.codingProcess)
    /// The image does not have 8 bits per sample.
    public static let samplePrecision = Code(.samplePrecision)
    /// The sampling factors are not allowed.
    public static let sampling = Code(.sampling)
    /// The frame header gives no height, or a DNL segment gives one.
    public static let heightByDNL = Code(.heightByDNL)
    /// The image has more pixels than ``Options/maxPixels``.
    public static let pixelLimit = Code(.pixelLimit)
    /// The image has more scans than ``Options/maxScans``, or too many blocks in all of them.
    public static let scanLimit = Code(.scanLimit)
    /// The estimate of memory is above ``Options/maxMemory``.
    public static let memoryLimit = Code(.memoryLimit)
    /// The progressive scans lack coefficients that the transform needs.
    public static let incompleteProgression = Code(.incompleteProgression)
    /// The original could not be restored byte for byte, which ``Options/requiresUndo`` requires.
    public static let noUndo = Code(.noUndo)
    /// The file ends before the end of the image.
    public static let noEndOfImage = Code(.noEndOfImage)
    /// The file is read-only, or its owner or group would change.
    public static let writeProtected = Code(.writeProtected)
    /// The file has several hard links.
    package static let hardLinked = Code(.hardLinked)
    /// Not all displayed images of the file would follow a change.
    public static let imageStructure = Code(.imageStructure)
    /// The parts of the file state different orientations.
    public static let orientationsDisagree = Code(.orientationsDisagree)
    /// The format states the orientation, and its readers apply it.
    public static let appliedByReaders = Code(.appliedByReaders)
    /// The file has a format, or a form, in which this is not changed.
    public static let otherFormat = Code(.otherFormat)
    /// The name has the ending of another format.
    package static let misnamed = Code(.misnamed)
    /// The sidecar has another Orientation than the upright photo.
    package static let sidecarConflict = Code(.sidecarConflict)
    /// A sidecar describes the image before an interrupted rewrite.
    package static let staleSidecar = Code(.staleSidecar)
    /// Another photo may have the same sidecar.
    package static let sidecarShared = Code(.sidecarShared)
    /// A sidecar cannot be read, or not be changed.
    package static let sidecarUnreadable = Code(.sidecarUnreadable)
    /// A file beside the photo has an edit that would be applied to another part of the image.
    package static let neighbourEdit = Code(.neighbourEdit)
    /// A file beside the photo has a position on a map that would be applied to another part of it.
    package static let neighbourMap = Code(.neighbourMap)
    /// The transfer function needs tone mapping.
    package static let highDynamicRange = Code(.highDynamicRange)
    /// The colors cannot be described in a JPEG file.
    package static let color = Code(.color)
    /// The file already is the original.
    package static let original = Code(.original)
    /// The record has nothing on the file.
    package static let noRecord = Code(.noRecord)
    /// The file changed after the rewrite.
    package static let changedSince = Code(.changedSince)
    /// There is no undo data.
    package static let noUndoData = Code(.noUndoData)
    /// The file is a copy of a recorded result.
    package static let copy = Code(.copy)
    /// The sidecar changed after it was updated with the photo.
    package static let sidecarChanged = Code(.sidecarChanged)
    /// The records lead to several originals.
    package static let severalOriginals = Code(.severalOriginals)
  }
}

extension Reason.Code {
  /// The identifiers of all reasons, in the order of the documentation: without a meaning, none compiles.
  package enum Known: String, CaseIterable, Sendable {
    case upright
    case noOrientation = "no-orientation"
    case unknownOrientation = "unknown-orientation"
    case tagAlready = "tag-already"
    case asStored = "as-stored"
    case noOrientationEntry = "no-orientation-entry"
    case noRoomForExif = "no-room-for-exif"
    case unalignedEdge = "unaligned-edge"
    case conflict
    case reservedOrientation = "reserved-orientation"
    case unclearOrientation = "unclear-orientation"
    case noPage = "no-page"
    case exifUnreadable = "exif-unreadable"
    case sharedBytes = "shared-bytes"
    case orientationsDisagree = "orientations-disagree"
    case imageStructure = "image-structure"
    case otherFormat = "other-format"
    case appliedByReaders = "applied-by-readers"
    case misnamed
    case sidecarConflict = "sidecar-conflict"
    case staleSidecar = "stale-sidecar"
    case sidecarShared = "sidecar-shared"
    case sidecarUnreadable = "sidecar-unreadable"
    case neighbourEdit = "neighbour-edit"
    case neighbourMap = "neighbour-map"
    case contentCredentials = "content-credentials"
    case embeddedImage = "embedded-image"
    case registeredData = "registered-data"
    case absoluteOffsets = "absolute-offsets"
    case jpegXT = "jpeg-xt"
    case arithmeticCoding = "arithmetic-coding"
    case codingProcess = "coding-process"
    case samplePrecision = "sample-precision"
    case sampling
    case heightByDNL = "height-by-dnl"
    case incompleteProgression = "incomplete-progression"
    case pixelLimit = "pixel-limit"
    case scanLimit = "scan-limit"
    case memoryLimit = "memory-limit"
    case noEndOfImage = "no-end-of-image"
    case noUndo = "no-undo"
    case writeProtected = "write-protected"
    case hardLinked = "hard-linked"
    case highDynamicRange = "high-dynamic-range"
    case color
    case original
    case noRecord = "no-record"
    case changedSince = "changed-since"
    case noUndoData = "no-undo-data"
    case copy
    case sidecarChanged = "sidecar-changed"
    case severalOriginals = "several-originals"
  }
}
