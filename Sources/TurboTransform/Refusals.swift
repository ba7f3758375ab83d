#if !canImport(CTurboJPEG)
package import ImageOrientation
package import JPEGCore

// What the module has in builds without TurboJPEG, which decline everything.

/// The counterpart of TurboJPEG's lossless transform, which declines every image.
package enum LosslessTransform {
  /// Declines to transform an image.
  package static func stream(
    _ stream: [UInt8],
    transformedBy transform: OrientationTransform,
    trims: Bool = false
  ) throws(TransformError) -> [UInt8] { throw .missing }

  /// Declines to verify a transform.
  package static func digests(
    _ stream: [UInt8],
    transformedBy transform: OrientationTransform
  ) throws(TransformError) -> [UInt64] { throw .missing }
}

/// The counterpart of a small rendition of an image, which is never created.
package struct ReducedImage: Sendable {
  package var width: Int { 0 }
  package var height: Int { 0 }
  package var pixels: [UInt8] { [] }

  /// Declines to create a rendition.
  package init(_ stream: [UInt8], frame: Frame, maxSide: Int) throws(TransformError) {
    throw .missing
  }

  package func reduced(maxSide: Int) -> ReducedImage { self }
  package func encoded(quality: Int) -> [UInt8]? { nil }
}

/// The counterpart of TurboJPEG's encoder, which declines every image.
package enum PixelEncoder {
  /// Declines to compress an image.
  package static func encode(_ image: PixelImage, quality: Int) throws(TransformError) -> [UInt8] {
    throw .missing
  }
}
#endif
