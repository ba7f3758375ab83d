#if HEIF
internal import CHEIF
package import Conversion
internal import ImageOrientation
internal import JPEGCore
package import Upright

/// Decodes the primary image of a HEIF file with libheif, which applies the transforms of the file.
package struct HEIFDecoder: Sendable {
  /// The maximum number of pixels of an image, as its header gives it.
  ///
  /// Default: 2^29, half a gigapixel.
  package var maxPixels = Options().maxPixels

  package init() {}

  /// Decodes a file's primary image and reads its metadata.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The image as displayed; other contents of the file are listed as losses.
  /// - Throws: ``UprightError``.
  package func decode(_ file: [UInt8]) throws(UprightError) -> DecodedImage {
    guard !file.isEmpty else { throw UprightError(.empty, "the file is empty") }
    guard HEIFStructure.isHEIF(file) else { throw .notHEIFFile }
    let context = try HEIFContext(file)
    let handle = try context.primaryImage()
    try check(handle.size)
    try check(handle.storedSize)
    let structure = HEIFStructure(file)
    var image = DecodedImage(
      pixels: try handle.decode(structure.sampling),
      stored: handle.storedSize
    )
    image.transform = structure.transform
    image.colour = try handle.colour()
    try handle.readMetadata(into: &image)
    image.losses += structure.losses
    if context.imageCount > 1 {
      let count = context.imageCount - 1
      image.losses.append(
        Loss(.otherImages, "\(count) other image\(count == 1 ? "" : "s") in the file")
      )
    }
    return image
  }

  private func check(_ size: PixelSize) throws(UprightError) {
    guard size.width > 0, size.height > 0, size.width * size.height <= maxPixels else {
      throw UprightError(
        .limit,
        "the image header gives \(size.width)×\(size.height) pixels, more than the limit of \(maxPixels)"
      )
    }
  }
}

extension HEIFStructure {
  /// The contents of the file besides images.
  fileprivate var losses: [Loss] {
    var losses: [Loss] = []
    if hasMovie { losses.append(Loss(.sequence, "the image sequence or video in the file")) }
    if hasMotionPhoto { losses.append(Loss(.video, "the video of the motion photo")) }
    if hasContentCredentials {
      losses.append(Loss(.contentCredentials, "the content credentials, which name the HEIF file"))
    }
    return losses
  }
}
#endif
