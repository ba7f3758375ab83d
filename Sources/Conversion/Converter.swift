internal import ImageOrientation
internal import TurboTransform
package import Upright

/// Converts a decoded image and its metadata to a JPEG file.
///
/// This is not lossless: the pixels are re-encoded. Metadata is copied byte for byte, except for fields that the
/// decoder's transform makes wrong.
package struct Converter: Sendable {
  /// The quality of the compression, 1 to 100, as in libjpeg.
  ///
  /// Default: 92.
  package var quality = 92
  /// The policies for regions and resolutions.
  package var options = Options()

  package init() {}

  /// The reason or error why there is no file.
  enum Failure: Error {
    case refused(Reason)
    case failed(UprightError)
  }

  /// The maximum width and height in libjpeg.
  private static let maxSide = 65_500

  /// Converts an image.
  ///
  /// - Throws: ``UprightError`` of code `limit`, `out-of-memory` or `verification`.
  package func convert(_ image: DecodedImage) throws(UprightError) -> ConversionOutcome {
    do throws(Failure) {
      return .converted(try converted(image))
    } catch {
      switch error {
      case .refused(let reason): return .skipped(reason)
      case .failed(let error): throw error
      }
    }
  }

  private func converted(_ image: DecodedImage) throws(Failure) -> ConvertedImage {
    let size = image.pixels.size
    guard max(size.width, size.height) <= Self.maxSide else {
      throw .failed(
        UprightError(
          .limit,
          "the image has \(size.width)×\(size.height) pixels; a JPEG file can have at most "
            + "\(Self.maxSide) on a side"
        )
      )
    }
    let metadata = try CarriedMetadata(image, options)
    let stream = try CompressedPixels(image.pixels, quality: quality)
    let result = ConvertedImage(
      bytes: stream.file(with: metadata.segments),
      size: size,
      transform: image.transform,
      sampling: image.pixels.sampling,
      quality: quality,
      changes: metadata.changes,
      losses: image.losses,
      notes: metadata.notes
    )
    do throws(UprightError) {
      try ConversionCheck(source: image, metadata: metadata).check(result)
    } catch { throw .failed(error) }
    return result
  }
}
