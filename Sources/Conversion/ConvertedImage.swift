package import ImageOrientation
package import TurboTransform
package import Upright

/// A JPEG file converted from another format, with data for the report.
package struct ConvertedImage: Sendable {
  /// The file.
  package var bytes: [UInt8]
  package var size: PixelSize
  /// The transform that the decoder applied to the stored raster.
  package var transform: OrientationTransform
  /// The chroma sampling.
  package var sampling: PixelImage.Sampling
  /// The quality of the compression.
  package var quality: Int
  /// The changes of the metadata.
  package var changes: [Change]
  /// The parts of the source that the file lacks.
  package var losses: [Loss]
  /// Notes for people.
  package var notes: [Note]
}

/// The outcome of a conversion.
package enum ConversionOutcome: Sendable {
  case converted(ConvertedImage)
  /// The file is skipped.
  case skipped(Reason)
}
