extension Reason {
  /// Which reason it is; more may come, and programs that use the library may have their own.
  ///
  /// Machine output carries the raw value; `docs/output.md` lists them with what to do.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public var rawValue: String

    /// The code with this identifier.
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
  /// The image is stored as it is to be seen.
  public static let asStored = Reason.Code(rawValue: "as-stored")
  /// Orientation is already what it is to become.
  public static let tagAlready = Reason.Code(rawValue: "tag-already")
  /// Exif has no Orientation that could be set.
  public static let noOrientationEntry = Reason.Code(rawValue: "no-orientation-entry")
  /// A new Exif block would move bytes that others point to.
  public static let noRoomForExif = Reason.Code(rawValue: "no-room-for-exif")
  /// Orientation has a value without a meaning.
  public static let reservedOrientation = Reason.Code(rawValue: "reserved-orientation")
  /// Several tags contradict each other.
  public static let unclearOrientation = Reason.Code(rawValue: "unclear-orientation")
  /// The Exif block cannot be read.
  public static let exifUnreadable = Reason.Code(rawValue: "exif-unreadable")
  /// A lossless transform would lose the partial MCUs of an edge.
  public static let unalignedEdge = Reason.Code(rawValue: "unaligned-edge")
  /// A stale Orientation tag is suspected; ``Reason/evidence`` says why.
  public static let conflict = Reason.Code(rawValue: "conflict")
  /// A gain map, depth map or matte cannot follow the image.
  public static let embeddedImage = Reason.Code(rawValue: "embedded-image")
  /// Two fields that would have to change share the same bytes.
  public static let sharedBytes = Reason.Code(rawValue: "shared-bytes")
  /// Bytes after the image would have to move, and hold offsets from the start of the file.
  public static let absoluteOffsets = Reason.Code(rawValue: "absolute-offsets")
  /// The C2PA content credentials would become invalid.
  public static let contentCredentials = Reason.Code(rawValue: "content-credentials")
  /// JPEG XT data refines the stored image.
  public static let jpegXT = Reason.Code(rawValue: "jpeg-xt")
  /// The image is arithmetic-coded.
  public static let arithmeticCoding = Reason.Code(rawValue: "arithmetic-coding")
  /// The image is coded by a process that is not read: lossless or hierarchical JPEG.
  public static let codingProcess = Reason.Code(rawValue: "coding-process")
  /// The image has not 8 bits a sample.
  public static let samplePrecision = Reason.Code(rawValue: "sample-precision")
  /// The sampling factors are not allowed.
  public static let sampling = Reason.Code(rawValue: "sampling")
  /// The frame header gives no height.
  public static let heightByDNL = Reason.Code(rawValue: "height-by-dnl")
  /// The image has more pixels than ``Options/maxPixels``.
  public static let pixelLimit = Reason.Code(rawValue: "pixel-limit")
  /// The image has more scans than ``Options/maxScans``, or too many blocks in all of them.
  public static let scanLimit = Reason.Code(rawValue: "scan-limit")
  /// The work would take more memory than ``Options/maxMemory``.
  public static let memoryLimit = Reason.Code(rawValue: "memory-limit")
  /// Progressive scans lack coefficients that a transposition needs.
  public static let incompleteProgression = Reason.Code(rawValue: "incomplete-progression")
  /// The identical file could not be restored, which ``Options/requiresUndo`` asks for.
  public static let noUndo = Reason.Code(rawValue: "no-undo")
  /// The file ends before the image does.
  public static let noEndOfImage = Reason.Code(rawValue: "no-end-of-image")
  /// Bytes between two segments belong to neither.
  public static let strayBytes = Reason.Code(rawValue: "stray-bytes")
}
