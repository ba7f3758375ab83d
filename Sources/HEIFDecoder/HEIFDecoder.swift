internal import CHEIF
package import Conversion
package import ISOBMFF
internal import ImageOrientation
internal import TurboTransform
package import Upright

/// Decodes the primary image of a HEIF file with libheif, which applies the transforms of the file.
///
/// libheif receives only files whose structure determines all pixels of the image (``DecodingCheck``).
package struct HEIFDecoder: Sendable {
  /// The maximum number of pixels: of the image, and of the coded images that it consists of.
  ///
  /// Default: 2^29, half a gigapixel.
  package var maxPixels = Options().maxPixels

  package init() {}

  /// Decodes a file's primary image and reads its metadata.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - willDecode: Called after the structure was checked and before libheif reads the file.
  /// - Returns: The image as displayed; other contents of the file are listed as losses.
  /// - Throws: ``UprightError``.
  package func decode(
    _ file: [UInt8],
    willDecode: (ImageForm) -> Void = { _ in }
  ) throws(UprightError) -> DecodedImage {
    guard !file.isEmpty else { throw UprightError(.empty, "the file is empty") }
    guard MediaFile.isHEIF(file.span) else { throw .notHEIFFile }
    let (form, metadata, input) = try read(file)
    willDecode(form)
    let context = try HEIFContext(input)
    let handle = try context.primaryImage()
    var image = DecodedImage(
      pixels: try handle.decode(form.sampling),
      stored: PixelSize(width: form.storedWidth, height: form.storedHeight)
    )
    guard form.agrees(with: image.pixels.size) else {
      throw UprightError(
        .malformed,
        "libheif decodes \(image.pixels.size.width)×\(image.pixels.size.height) pixels instead of "
          + "\(form.transforms.width)×\(form.transforms.height)"
      )
    }
    image.transform = form.transforms.orientation
    image.color = try handle.color()
    image.exif = metadata.exif
    image.xmp = metadata.xmp
    image.losses = handle.losses() + metadata.losses
    if metadata.hasToneMap, !image.losses.contains(where: { $0.kind == .gainMap }) {
      image.losses.append(Loss(.gainMap, "the gain map for high dynamic range (tmap)"))
    }
    if context.imageCount > 1 {
      let count = context.imageCount - 1
      image.losses.append(
        Loss(.otherImages, "\(count) other image\(count == 1 ? "" : "s") in the file")
      )
    }
    return image
  }

  /// Returns what is known of a file before decoding, and the bytes to decode.
  private func read(
    _ file: [UInt8]
  ) throws(UprightError) -> (ImageForm, HEIFMetadata, input: [UInt8]) {
    do throws(FormatError) {
      let media = try MediaFile(file.span)
      let form = try DecodingCheck(maxPixels: maxPixels).primaryImage(of: media, file.span)
      return (form, try HEIFMetadata(media, file.span), try media.decoderInput(file))
    } catch { throw UprightError(error) }
  }
}

extension ImageForm {
  fileprivate var sampling: PixelImage.Sampling {
    switch chroma {
    case .monochrome: .grayscale
    case .halved: .halved
    case .halvedWidth: .halvedWidth
    case .full: .full
    }
  }

  /// Whether a decoded image has the size that the structure determines; the sides of a crop may be rounded.
  fileprivate func agrees(with size: PixelSize) -> Bool {
    let tolerance = transforms.isCropped ? 1 : 0
    return abs(size.width - transforms.width) <= tolerance
      && abs(size.height - transforms.height) <= tolerance
  }
}
