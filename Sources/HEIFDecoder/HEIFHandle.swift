#if HEIF
internal import CHEIF
internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform
internal import Upright

/// An image of a HEIF file that is not decoded yet.
@safe
struct HEIFHandle: ~Copyable {
  /// What libheif calls the image.
  let handle: OpaquePointer

  /// Takes over a handle.
  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe heif_image_handle_release(handle) }

  /// The size as it is shown.
  var size: PixelSize {
    unsafe PixelSize(
      width: Int(heif_image_handle_get_width(handle)),
      height: Int(heif_image_handle_get_height(handle))
    )
  }

  /// The size as it is stored.
  var storedSize: PixelSize {
    unsafe PixelSize(
      width: Int(heif_image_handle_get_ispe_width(handle)),
      height: Int(heif_image_handle_get_ispe_height(handle))
    )
  }

  /// Bits a sample of luminance; nil where the file does not say.
  var depth: Int? {
    let bits = unsafe Int(heif_image_handle_get_luma_bits_per_pixel(handle))
    return bits > 0 ? bits : nil
  }

  /// Decodes the image into luminance and chroma as JFIF has them; libheif calculates, where the file has
  /// others.
  ///
  /// - Parameter sampling: How chroma is to be sampled; as in the file, nothing of it is lost.
  /// - Returns: The image as it is shown.
  /// - Throws: ``UprightError``.
  func decode(_ sampling: PixelImage.Sampling) throws(UprightError) -> PixelImage {
    let image = try image(
      sampling == .grayscale ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
      sampling.chroma
    )
    guard let pixels = image.pixels(sampling) else {
      throw UprightError(.unsupported, "libheif decodes the image to an unsupported format")
    }
    return pixels
  }

  private func image(
    _ space: heif_colorspace,
    _ chroma: heif_chroma
  ) throws(UprightError) -> HEIFImage {
    guard let options = unsafe heif_decoding_options_alloc() else {
      throw UprightError(.outOfMemory, "not enough memory for the image")
    }
    defer { unsafe heif_decoding_options_free(options) }
    unsafe options.pointee.convert_hdr_to_8bit = 1
    // What a decoder has to invent is not a photograph.
    unsafe options.pointee.strict_decoding = 1
    var image: OpaquePointer?
    if let error = unsafe UprightError(heif_decode_image(handle, &image, space, chroma, options)) {
      throw error
    }
    guard let image = unsafe image else { throw .noImage }
    let result = unsafe HEIFImage(image)
    if let warning = result.warning { throw warning }
    return result
  }
}

extension PixelImage.Sampling {
  /// libheif's name.
  fileprivate var chroma: heif_chroma {
    switch self {
    case .grayscale: heif_chroma_monochrome
    case .full: heif_chroma_444
    case .halvedWidth: heif_chroma_422
    case .halved: heif_chroma_420
    }
  }
}
#endif
