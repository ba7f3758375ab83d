package import ImageOrientation
internal import JPEGCore
package import TurboTransform
package import Upright

/// A JPEG file made of another format's, and all that is to say about it.
package struct ConvertedImage: Sendable {
  /// The file.
  package var bytes: [UInt8]
  package var size: PixelSize
  /// How the source's decoder has transformed the stored raster.
  package var transform: OrientationTransform
  /// How chroma is sampled.
  package var sampling: PixelImage.Sampling
  /// The quality that the pixels were compressed with.
  package var quality: Int
  /// What differs in the metadata.
  package var changes: [Change]
  /// What the source has and the file has not.
  package var losses: [Loss]
  /// What people should know besides.
  package var notes: [String]
}

/// What becomes of a file that is to be converted.
package enum ConversionOutcome: Sendable {
  case converted(ConvertedImage)
  /// It is skipped for a reason.
  case skipped(Reason)
}
