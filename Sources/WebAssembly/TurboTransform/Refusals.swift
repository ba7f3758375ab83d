package import ImageOrientation
package import JPEGCore

// The module TurboTransform of the WebAssembly build, which has no TurboJPEG: everything is declined.

/// What TurboJPEG's lossless transform is elsewhere.
package enum LosslessTransform {
  /// Declines to transform an image.
  package static func stream(
    _ stream: [UInt8],
    transformedBy transform: OrientationTransform,
    trims: Bool = false
  ) throws(TransformError) -> [UInt8] { throw .missing }

  /// Declines to judge a transform.
  package static func digests(
    _ stream: [UInt8],
    transformedBy transform: OrientationTransform
  ) throws(TransformError) -> [UInt64] { throw .missing }
}

/// What a small rendition of an image is elsewhere: nobody makes one here.
package struct ReducedImage: Sendable {
  package var width: Int { 0 }
  package var height: Int { 0 }
  package var pixels: [UInt8] { [] }

  /// Declines to make one.
  package init(_ stream: [UInt8], frame: Frame, maxSide: Int) throws(TransformError) {
    throw .missing
  }

  package func reduced(maxSide: Int) -> ReducedImage { self }
  package func encoded(quality: Int) -> [UInt8]? { nil }
}

extension TransformError {
  /// TurboJPEG is not there.
  fileprivate static var missing: TransformError {
    .damaged("there is no libjpeg-turbo in WebAssembly")
  }
}
