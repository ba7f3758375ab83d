#if HEIF
internal import CHEIF
package import Conversion
internal import ImageOrientation
internal import JPEGCore
package import Upright

/// Decodes the primary picture of a HEIF file with libheif, which turns it as the file says.
package struct HEIFDecoder: Sendable {
  /// The most pixels that a picture may claim to have.
  ///
  /// Default: 2^29, half a gigapixel.
  package var maxPixels = Options().maxPixels

  package init() {}

  /// Decodes a file's primary picture and reads its metadata.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The picture as it is shown; what else the file has is among its losses.
  /// - Throws: ``UprightError``.
  package func decode(_ file: [UInt8]) throws(UprightError) -> DecodedPicture {
    guard !file.isEmpty else { throw UprightError(.empty, "there is not a single byte") }
    guard HEIFStructure.isHEIF(file) else { throw .notHEIFFile }
    let context = try HEIFContext(file)
    let handle = try context.primaryPicture()
    try check(handle.size)
    try check(handle.storedSize)
    let structure = HEIFStructure(file)
    var picture = DecodedPicture(
      pixels: try handle.decode(structure.sampling),
      stored: handle.storedSize
    )
    picture.turn = structure.turn
    picture.colour = try handle.colour()
    try handle.readMetadata(into: &picture)
    picture.losses += structure.losses
    if context.pictureCount > 1 {
      let count = context.pictureCount - 1
      picture.losses.append(
        Loss(.otherPictures, "\(count) other picture\(count == 1 ? "" : "s") of the file")
      )
    }
    return picture
  }

  private func check(_ size: PixelSize) throws(UprightError) {
    guard size.width > 0, size.height > 0, size.width * size.height <= maxPixels else {
      throw UprightError(
        .limit,
        "the picture claims \(size.width)×\(size.height) pixels, the limit is \(maxPixels)"
      )
    }
  }
}

extension HEIFStructure {
  /// What stands in the file beside its pictures.
  fileprivate var losses: [Loss] {
    var losses: [Loss] = []
    if hasMovie { losses.append(Loss(.sequence, "the picture sequence or film in the file")) }
    if hasMotionPhoto { losses.append(Loss(.video, "the film of the motion photo")) }
    if hasContentCredentials {
      losses.append(Loss(.contentCredentials, "the content credentials, which name the HEIF file"))
    }
    return losses
  }
}
#endif
