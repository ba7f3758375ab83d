internal import CHEIF
internal import ImageOrientation
internal import TurboTransform
internal import Upright

/// An image of a HEIF file, not decoded.
@safe
struct HEIFHandle: ~Copyable {
  /// libheif's handle.
  let handle: OpaquePointer

  /// Takes over a handle.
  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe heif_image_handle_release(handle) }

  /// The size as displayed.
  var size: PixelSize {
    unsafe PixelSize(
      width: Int(heif_image_handle_get_width(handle)),
      height: Int(heif_image_handle_get_height(handle))
    )
  }

  /// Bits per sample of luma, or nil if unknown.
  var depth: Int? {
    let bits = unsafe Int(heif_image_handle_get_luma_bits_per_pixel(handle))
    return bits > 0 ? bits : nil
  }

  /// Decodes the image to YCbCr as in JFIF; libheif converts other color spaces.
  ///
  /// - Parameter sampling: The chroma sampling; that of the file preserves all samples.
  /// - Returns: The image as displayed.
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
    // Errors in the data must be reported, not concealed.
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
  /// The name in libheif.
  fileprivate var chroma: heif_chroma {
    switch self {
    case .grayscale: heif_chroma_monochrome
    case .full: heif_chroma_444
    case .halvedWidth: heif_chroma_422
    case .halved: heif_chroma_420
    }
  }
}
