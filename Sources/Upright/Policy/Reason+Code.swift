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
  }
}

extension Reason.Code {
  /// Orientation is 1.
  public static let upright = Reason.Code(rawValue: "upright")
  /// There is no Orientation.
  public static let noOrientation = Reason.Code(rawValue: "no-orientation")
  /// Orientation is 0, which means unknown, and is treated as 1.
  public static let unknownOrientation = Reason.Code(rawValue: "unknown-orientation")
  /// The stored image already has the requested orientation.
  public static let asStored = Reason.Code(rawValue: "as-stored")
  /// Orientation already has the requested value.
  public static let tagAlready = Reason.Code(rawValue: "tag-already")
  /// Exif has no Orientation tag, and no room for one.
  public static let noOrientationEntry = Reason.Code(rawValue: "no-orientation-entry")
  /// A new Exif block would move data that offsets point to.
  public static let noRoomForExif = Reason.Code(rawValue: "no-room-for-exif")
  /// Orientation is not 1 to 8.
  public static let reservedOrientation = Reason.Code(rawValue: "reserved-orientation")
  /// Several Orientation tags contradict each other.
  public static let unclearOrientation = Reason.Code(rawValue: "unclear-orientation")
  /// The Exif block cannot be read.
  public static let exifUnreadable = Reason.Code(rawValue: "exif-unreadable")
  /// The file does not have the requested page.
  public static let noPage = Reason.Code(rawValue: "no-page")
  /// A lossless transform would cut off partial MCUs.
  public static let unalignedEdge = Reason.Code(rawValue: "unaligned-edge")
  /// A stale Orientation tag is suspected; ``Reason/evidence`` lists the evidence.
  public static let conflict = Reason.Code(rawValue: "conflict")
  /// A gain map, depth map or matte cannot be transformed with the image.
  public static let embeddedImage = Reason.Code(rawValue: "embedded-image")
  /// Data that is registered to the pixels would no longer fit the image.
  public static let registeredData = Reason.Code(rawValue: "registered-data")
  /// Two fields that must change share the same bytes.
  public static let sharedBytes = Reason.Code(rawValue: "shared-bytes")
  /// Data after the image must move, but contains offsets from the start of the file.
  public static let absoluteOffsets = Reason.Code(rawValue: "absolute-offsets")
  /// The C2PA content credentials would become invalid.
  public static let contentCredentials = Reason.Code(rawValue: "content-credentials")
  /// JPEG XT data refines the stored image.
  public static let jpegXT = Reason.Code(rawValue: "jpeg-xt")
  /// The image is arithmetic-coded.
  public static let arithmeticCoding = Reason.Code(rawValue: "arithmetic-coding")
  /// The image is lossless or hierarchical JPEG, which is not supported.
  public static let codingProcess = Reason.Code(rawValue: "coding-process")
  /// The image does not have 8 bits per sample.
  public static let samplePrecision = Reason.Code(rawValue: "sample-precision")
  /// The sampling factors are not allowed.
  public static let sampling = Reason.Code(rawValue: "sampling")
  /// The frame header gives no height.
  public static let heightByDNL = Reason.Code(rawValue: "height-by-dnl")
  /// The image has more pixels than ``Options/maxPixels``.
  public static let pixelLimit = Reason.Code(rawValue: "pixel-limit")
  /// The image has more scans than ``Options/maxScans``, or too many blocks in all of them.
  public static let scanLimit = Reason.Code(rawValue: "scan-limit")
  /// The estimate of memory is above ``Options/maxMemory``.
  public static let memoryLimit = Reason.Code(rawValue: "memory-limit")
  /// The progressive scans lack coefficients that the transform needs.
  public static let incompleteProgression = Reason.Code(rawValue: "incomplete-progression")
  /// The original could not be restored byte for byte, which ``Options/requiresUndo`` requires.
  public static let noUndo = Reason.Code(rawValue: "no-undo")
  /// The file ends before the end of the image.
  public static let noEndOfImage = Reason.Code(rawValue: "no-end-of-image")
  /// The file is read-only, or its owner or group would change.
  public static let writeProtected = Reason.Code(rawValue: "write-protected")
  /// There are stray bytes between two segments.
  public static let strayBytes = Reason.Code(rawValue: "stray-bytes")
}
