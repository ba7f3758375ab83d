internal import FileBytes
public import ImageOrientation

/// The action for a file, decided from its header.
///
/// Audits, dry runs and rewrites use the same planner and therefore agree.
public struct Plan: Sendable {
  /// The properties of the image.
  public var image: ImageInfo
  /// The action.
  public var action: Action
  /// The part of the image that is kept, or nil without a crop.
  public var crop: Crop?
  /// The changes that follow from the header, in file order.
  ///
  /// A rewrite also changes tables and scans.
  public var changes: [Change] { edits.changes }
  /// The edits that follow from the header; in a file of a format other than JPEG, all.
  var edits: [Edit] = []
  /// The embedded images.
  ///
  /// A plan made from a header lists only the thumbnail.
  public var embeddedImages: [EmbeddedImage] = []
  /// The data of the file that refers to the pixels of the stored image; empty unless the image is or would be
  /// transformed.
  ///
  /// A plan made from the beginning of a file lists data after the image only if it is in this beginning.
  public var registeredData: [RegisteredData] = []
  /// What becomes of regions; empty unless the image is or would be transformed.
  public var regions: [RegionDecision] = []
  /// Notes for people, such as fields that are kept although they describe the image as it was stored.
  public var notes: [Note] = []
  /// The estimated memory of executing the plan in bytes, including copies of the file if its size is known; 0 if only
  /// the header is read.
  public var estimatedMemory = 0
  /// The evidence against the Orientation tag of an image that is transformed all the same, because there is more
  /// evidence for the tag or because a policy says so.
  ///
  /// A person should look at such an image.
  public var contradictions: [TagEvidence] = []
  /// The evidence of a stale Orientation tag, or empty if none is suspected.
  var conflicts: [TagEvidence] = []
  /// What describes the transformed image of a JPEG file; nil if no transform is planned.
  var metadata: Shared<MetadataUpdater>?

  /// Takes into account evidence against the tag that only decoding the image shows.
  mutating func weigh(_ evidence: TagEvidence, _ policy: Options.ConflictPolicy) {
    contradictions.append(evidence)
    conflicts = contradictions
    switch policy {
    case .skip: action = .skip(.conflict(conflicts))
    case .resetTag: action = .resetTag(.conflict(conflicts))
    case .trustTag:
      let text = evidence.text + "; the tag is trusted, because that was requested"
      notes.append(Note(.tagTrusted, text))
    }
    if case .transform = action { return }
    contradictions = []
  }

  /// Skips a file that would be rewritten.
  package mutating func skip(for reason: Reason) {
    action = .skip(reason)
    (edits, registeredData, regions, contradictions, notes) = ([], [], [], [], [])
  }

  /// Whether a requested crop removes a part of the image.
  package var isCropped: Bool {
    guard case .transform = action, let crop else { return false }
    let whole = PixelRectangle(image.uprightSize)
    return crop.result != whole && crop.requested != whole
  }
}

extension Plan {
  init(_ photo: borrowing JPEGPhoto, _ action: Action) {
    self.init(
      image: photo.image,
      action: action,
      embeddedImages: photo.thumbnails.map { EmbeddedImage($0, .kept) }
    )
  }
}

/// The action for a file.
public enum Action: Hashable, Sendable {
  /// The file needs no change.
  case unchanged(Reason)
  /// The image is transformed.
  case transform(OrientationTransform, Edges)
  /// The image is kept and Orientation is set to 1.
  case resetTag(Reason)
  /// The image is kept and only the tag changes; nil removes it.
  case changeTag(Orientation?)
  /// The file would need a change, but is skipped.
  case skip(Reason)

  /// Whether the action changes the file.
  public var rewrites: Bool {
    switch self {
    case .transform, .resetTag, .changeTag: true
    case .unchanged, .skip: false
    }
  }
}

/// How a transform treats the edges that it moves to the left or the top.
public enum Edges: Hashable, Sendable {
  /// The edges consist of whole MCUs; every coefficient is kept.
  case lossless
  /// Some components are re-encoded, because their blocks are not aligned with those of the transformed image.
  ///
  /// - Parameters:
  ///   - kept: The indices of the components that stay lossless, such as luma of a 4:2:0 image of 1080 lines.
  ///   - of: The number of components.
  case reencoded(kept: [Int], of: Int)
  /// The partial MCUs are cut off; columns and rows are those of the *stored* image.
  case trimmed(TrimmedEdges)
}
