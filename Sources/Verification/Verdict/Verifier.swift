public import ImageOrientation
internal import Upright

/// Proves from two files alone that one is the other, normalized and otherwise unchanged.
///
/// Every coefficient is compared under the transform of the original's orientation followed by ``then``, and so is
/// every byte outside of the fields that a transform changes. Of HEIF, AVIF, TIFF, DNG, PNG, WebP and JPEG XL files only
/// what states the orientation may differ. The result may come from any program; what it lost is listed.
public struct Verifier: Sendable {
  /// The maximum number of pixels of an image, as its header gives it.
  public var maxPixels = Options().maxPixels
  /// The expected transform of the displayed image, in addition to the normalization.
  public var then: OrientationTransform

  /// Whether the result must have every coefficient of the original, also those of thumbnails and secondary images.
  public var requiresLossless = false

  /// Whether data that no longer fits the image, such as a thermal matrix that was not transformed with it, is
  /// accepted with a note; otherwise it is a finding.
  public var acceptsRegisteredData = false

  /// Creates a verifier.
  public init(then transform: OrientationTransform = .none) { then = transform }
}
