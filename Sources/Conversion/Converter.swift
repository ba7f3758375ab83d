internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform
package import Upright

/// Makes a JPEG file of a decoded picture and its metadata.
///
/// This is not lossless: the pixels are compressed anew. The metadata are copied byte for byte but for what the
/// decoder's turn has made wrong.
package struct Converter: Sendable {
  /// 1 to 100, as libjpeg counts.
  ///
  /// Default: 92.
  package var quality = 92
  /// What happens to regions and resolutions.
  package var options = Options()

  package init() {}

  /// Why there is no file.
  enum Failure: Error {
    case refused(Reason)
    case failed(UprightError)
  }

  /// What decoders and encoders of libjpeg take.
  private static let longestSide = 65_500

  /// Converts a picture.
  ///
  /// - Throws: ``UprightError`` of code `limit`, `out-of-memory` or `verification`.
  package func convert(_ picture: DecodedPicture) throws(UprightError) -> ConversionOutcome {
    do throws(Failure) {
      return .converted(try converted(picture))
    } catch {
      switch error {
      case .refused(let reason): return .left(reason)
      case .failed(let error): throw error
      }
    }
  }

  private func converted(_ picture: DecodedPicture) throws(Failure) -> ConvertedPicture {
    let size = picture.pixels.size
    guard max(size.width, size.height) <= Self.longestSide else {
      throw .failed(
        UprightError(
          .limit,
          "the picture has \(size.width)×\(size.height) pixels; a JPEG file has at most "
            + "\(Self.longestSide) a side"
        )
      )
    }
    let metadata = try CarriedMetadata(picture, options)
    let stream = try CompressedPixels(picture.pixels, quality: quality)
    let result = ConvertedPicture(
      bytes: stream.file(with: metadata.segments),
      size: size,
      turn: picture.turn,
      sampling: picture.pixels.sampling,
      quality: quality,
      changes: metadata.changes,
      losses: picture.losses,
      notes: metadata.notes
    )
    do throws(UprightError) {
      try ConversionCheck(source: picture, metadata: metadata).check(result)
    } catch { throw .failed(error) }
    return result
  }
}
