public import ImageOrientation

/// What a normalization does with a file, decided before anything is done.
///
/// An audit prints it, a dry run prints it, a rewrite carries it out: there is one planner, so they agree.
public struct Plan: Sendable {
  /// What the header says of the image.
  public var image: ImageInfo
  /// What is done.
  public var action: Action
  /// What part of the image is kept; nil where no crop was asked for.
  public var crop: Crop?
  /// The changes that the header alone determines, in file order; the tables and the entropy-coded data of
  /// the scans come on top.
  public var changes: [Change]
  /// The other images in the file; from a header alone, the thumbnail.
  public var embeddedImages: [EmbeddedImage]
  /// What people should know besides, such as fields that are kept although they describe the old raster.
  public var notes: [String]
  /// How many bytes of memory carrying out the plan is estimated to take, with the copies of the file where its size
  /// is known; 0 where nothing but the header is read.
  public var estimatedMemory = 0
  /// What makes the Orientation tag suspect; empty where nothing does.
  var conflicts: [TagEvidence] = []

  /// Whether a part of the image is cut away on request.
  public var isCropped: Bool {
    guard case .transform = action, let crop else { return false }
    let size = image.uprightSize
    let whole = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    return crop.result != whole && crop.requested != whole
  }
}

/// What is done with a file.
public enum Action: Hashable, Sendable {
  /// Nothing needs to be done.
  case unchanged(Reason)
  /// The image is transformed.
  case transform(OrientationTransform, Edges)
  /// The image stays as it is and Orientation becomes 1.
  case resetTag(Reason)
  /// The image stays as it is and the tag alone changes; nil where it is removed.
  case changeTag(Orientation?)
  /// Something would have to be done, and the file is skipped.
  case skip(Reason)

  /// Whether bytes of the file change.
  public var rewrites: Bool {
    switch self {
    case .transform, .resetTag, .changeTag: true
    case .unchanged, .skip: false
    }
  }
}

/// What becomes of the edges that a transform moves to the left or the top.
public enum Edges: Hashable, Sendable {
  /// They are whole MCUs: every coefficient is kept.
  case lossless
  /// Some components are re-encoded, for their blocks come to lie across those of the transformed image.
  ///
  /// - Parameters:
  ///   - kept: The components that are exact nevertheless, such as the luminance of a 4:2:0 image of 1080
  ///     lines, by their index.
  ///   - of: How many components there are.
  case reencoded(kept: [Int], of: Int)
  /// The partial MCUs are cut off, as counted on the *stored* raster.
  case trimmed(TrimmedEdges)
}

/// What is cut off where partial iMCUs are, as counted on the *stored* raster.
public struct TrimmedEdges: Hashable, Sendable {
  /// How many columns, from the right.
  public var columns: Int
  /// How many rows, from the bottom.
  public var rows: Int

  /// Makes a count.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

#if !hasFeature(Embedded)
extension TrimmedEdges: Codable {}
#endif

/// A change of some bytes of a file.
public struct Change: Hashable, Sendable {
  /// What the bytes mean.
  public var field: Field
  /// Which bytes of the original file are replaced; empty where something is inserted.
  public var range: Range<Int>
  /// The bytes that stand there afterwards.
  public var replacement: [UInt8]
  /// The value before, in words; empty where it has none.
  public var old: String
  /// The value afterwards, in words.
  public var new: String
}

extension Change {
  /// What some bytes of a file mean.
  ///
  /// The identifiers are open: those of an image in the file have its role as a prefix, as in
  /// `gain-map.scan.0`. `docs/output.md` lists them.
  public struct Field: RawRepresentable, Hashable, Sendable {
    /// The stable identifier, such as `exif.ifd0.orientation`.
    public var rawValue: String

    /// The field with this identifier.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension Change.Field {
  /// Orientation of the image, in IFD0.
  public static let orientation = Change.Field(rawValue: "exif.ifd0.orientation")
  /// Orientation of the thumbnail, in IFD1.
  public static let thumbnailOrientation = Change.Field(rawValue: "exif.ifd1.orientation")
  /// `tiff:Orientation` in XMP.
  public static let xmpOrientation = Change.Field(rawValue: "xmp.tiff.Orientation")
  /// PixelXDimension of Exif.
  public static let pixelXDimension = Change.Field(rawValue: "exif.exif.pixel-x-dimension")
  /// PixelYDimension of Exif.
  public static let pixelYDimension = Change.Field(rawValue: "exif.exif.pixel-y-dimension")
  /// The C2PA content credentials.
  public static let contentCredentials = Change.Field(rawValue: "content-credentials")

  /// The entropy-coded data of a scan of the image.
  ///
  /// - Parameter number: Which scan, from 0.
  /// - Returns: The field.
  public static func scan(_ number: Int) -> Change.Field {
    Change.Field(rawValue: "scan.\(number)")
  }
}

extension Change.Field: CustomStringConvertible {
  /// The identifier.
  public var description: String { rawValue }
}
