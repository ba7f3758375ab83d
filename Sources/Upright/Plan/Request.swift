package import ImageFormats
public import ImageOrientation

/// What is requested of a file.
public struct Request: Hashable, Sendable {
  /// What is done.
  package enum Kind: Hashable, Sendable {
    case normalize(then: OrientationTransform)
    case crop(PixelRectangle, snapping: Crop.Snap)
    case tag(TagOperation, pages: TagPages)
    case stored(OrientationTransform?, crop: PixelRectangle?, keepsTag: Bool, isPerfect: Bool)
  }

  package let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// The orientation is normalized, and the displayed image then transformed, in one step.
  ///
  /// A file without Orientation counts as upright. With a transform other than `.none`, a file with a suspected stale tag
  /// is not skipped, because the caller has seen the image. Applying the transform twice transforms twice.
  public static func normalize(then transform: OrientationTransform = .none) -> Request {
    Request(.normalize(then: transform))
  }

  /// The displayed image is cropped to a rectangle in its pixels, and normalized.
  ///
  /// A lossless crop keeps every coefficient of the result; therefore its left and top edges must be MCU boundaries, and
  /// the rectangle grows or shrinks to them. ``Plan/crop`` has the resulting rectangle. Regions are always transformed
  /// with the image. A crop has no ``Rewrite/undo``.
  public static func crop(_ rectangle: PixelRectangle, snapping: Crop.Snap = .grow) -> Request {
    Request(.crop(rectangle, snapping: snapping))
  }

  /// Only the Orientation tag is changed.
  public static func tag(_ operation: TagOperation, pages: TagPages = .first) -> Request {
    Request(.tag(operation, pages: pages))
  }

  /// The stored image is transformed, whatever its Orientation, as jpegtran and exiftran do.
  ///
  /// - Parameters:
  ///   - transform: The transform of the stored image; nil for the one that the Orientation tag requires.
  ///   - crop: The part of the transformed image to keep, in its pixels, or nil for all of it; the rectangle grows to MCUs.
  ///   - keepsTag: Whether the Orientation tag keeps its value, instead of being set to 1.
  ///   - isPerfect: Whether a file with partial MCUs that would have to move fails.
  /// - Returns: The request.
  package static func stored(
    _ transform: OrientationTransform?,
    crop: PixelRectangle? = nil,
    keepsTag: Bool = false,
    isPerfect: Bool = false
  ) -> Request {
    Request(.stored(transform, crop: crop, keepsTag: keepsTag, isPerfect: isPerfect))
  }
}

/// A change of the Orientation tag.
///
/// The value in IFD0 is changed in place, and an Orientation in XMP is changed with it. A file without Exif gets an Exif
/// block, if no offsets point to the data that moves. Viewers that ignore the tag show the image as before.
public enum TagOperation: Hashable, Sendable {
  /// Sets the tag to this orientation.
  case set(Orientation)
  /// Sets the tag so that the displayed image is transformed.
  case transform(OrientationTransform)
  /// Removes the tag, so that the image is displayed as it is stored.
  case remove
}

/// The pages of a TIFF file, each of which has an Orientation of its own; other formats have one page.
public enum TagPages: Hashable, Sendable {
  /// The first page that is no reduced rendition, and the reduced renditions of it.
  case first
  /// The page with this number, from 1.
  case number(Int)
  /// All pages.
  case all
}

extension Request {
  /// Returns the request to transform the displayed image: the image itself, which is normalized, or only its tag.
  package static func transform(_ transform: OrientationTransform, tagOnly: Bool) -> Request {
    tagOnly ? .tag(.transform(transform)) : .normalize(then: transform)
  }

  /// The formats of the files that can be changed so, or not for a reason that is worth reporting.
  package var formats: Set<ImageFormat> {
    switch kind {
    case .normalize: [.jpeg, .heic, .heif, .avif]
    case .tag: [.jpeg, .heic, .heif, .avif, .tiff, .dng, .png]
    case .crop, .stored: [.jpeg]
    }
  }

  /// Returns the formats whose files are planned for, if only to be skipped, of those that were named or have the names of
  /// chosen formats.
  ///
  /// The content decides what is done with a file, whatever its name. Only JPEG is not taken unless it was chosen. Programs
  /// that transform the stored image take nothing else.
  package func taken(of chosen: Set<ImageFormat>, isNamed: Bool) -> Set<ImageFormat> {
    if case .stored = kind { return isNamed ? formats : chosen.intersection(formats) }
    var taken = Self.allFormats
    if !isNamed, !chosen.contains(.jpeg) { taken.remove(.jpeg) }
    return taken
  }

  private static let allFormats = Set(ImageFormat.allCases)

  package var isCrop: Bool { part != nil }

  /// The requested part of the transformed image, and how it is aligned; nil for all of it.
  var part: (rectangle: PixelRectangle, snap: Crop.Snap)? {
    switch kind {
    case .crop(let rectangle, let snap): (rectangle, snap)
    case .stored(_, let rectangle, _, _): rectangle.map { ($0, .grow) }
    case .normalize, .tag: nil
    }
  }

  var keepsTag: Bool {
    if case .stored(_, _, let keepsTag, _) = kind { keepsTag } else { false }
  }

  var isPerfect: Bool {
    if case .stored(_, _, _, let isPerfect) = kind { isPerfect } else { false }
  }

  /// Whether the tag alone says how the image is displayed, so that it matters if it is suspect: a caller who transforms
  /// the image has seen it.
  package var reliesOnTag: Bool {
    switch kind {
    case .normalize(let transform): transform == .none
    case .crop: true
    case .stored(let transform, _, _, _): transform == nil
    case .tag: false
    }
  }

  package var isOfTag: Bool { if case .tag = kind { true } else { false } }

  /// Whether a change of the tag alone would display the image as requested; a tag that is followed already does.
  var isPossibleForTag: Bool {
    if case .normalize(let transform) = kind { transform != .none } else { false }
  }

  /// What distinguishes the request in a journal; nil for a normalization.
  package var task: String? {
    switch kind {
    case .normalize(.none), .stored: nil
    case .normalize(let transform): transform.rawValue
    case .crop(let rectangle, let snap):
      "crop \(rectangle)" + (snap == .grow ? "" : " \(snap.rawValue)")
    case .tag(.set(let orientation), let pages): "tag set \(orientation.rawValue)\(pages.task)"
    case .tag(.transform(let transform), let pages): "tag \(transform.rawValue)\(pages.task)"
    case .tag(.remove, let pages): "tag remove\(pages.task)"
    }
  }

  /// Returns the transform of the displayed image, in addition to the normalization.
  func then(
    _ displayed: (OrientationTransform) -> OrientationTransform
  ) -> OrientationTransform {
    switch kind {
    case .normalize(let transform): transform
    case .crop, .tag: .none
    case .stored(let transform, _, _, _): transform.map(displayed) ?? .none
    }
  }
}

extension TagPages {
  /// What distinguishes the pages in a journal.
  fileprivate var task: String {
    switch self {
    case .first: ""
    case .number(let number): " of page \(number)"
    case .all: " of all pages"
    }
  }
}
