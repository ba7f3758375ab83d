internal import CHEIF
internal import ImageOrientation
internal import TurboTransform
internal import Upright

/// A decoded image, owned by libheif.
@safe
struct HEIFImage: ~Copyable {
  private let image: OpaquePointer

  /// Takes over an image.
  init(_ image: OpaquePointer) { unsafe self.image = image }

  deinit { unsafe heif_image_release(image) }

  /// Width and height in pixels.
  var size: PixelSize {
    unsafe PixelSize(
      width: Int(heif_image_get_primary_width(image)),
      height: Int(heif_image_get_primary_height(image))
    )
  }

  /// The first warning of the decoder.
  var warning: UprightError? {
    var error = unsafe heif_error()
    let count = unsafe heif_image_get_decoding_warnings(image, 0, &error, 1)
    return count > 0 ? unsafe UprightError(error) : nil
  }

  /// Returns the samples, or nil if a plane is missing or has another format.
  func pixels(_ sampling: PixelImage.Sampling) -> PixelImage? {
    var pixels = PixelImage(size: size, sampling: sampling, planes: [])
    let channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr].prefix(sampling.planeCount)
    pixels.planes = channels.enumerated().compactMap { plane($1, pixels.planeSize($0)) }
    return pixels.isWhole ? pixels : nil
  }

  /// Returns a copy of a channel without padding of rows, or nil if it has another sample format or size.
  private func plane(_ channel: heif_channel, _ size: PixelSize) -> [UInt8]? {
    var stride: Int32 = 0
    // libheif aborts when it is asked about a channel that is not there.
    guard unsafe heif_image_has_channel(image, channel) != 0,
      unsafe heif_image_get_bits_per_pixel(image, channel) == 8,
      unsafe Int(heif_image_get_width(image, channel)) == size.width,
      unsafe Int(heif_image_get_height(image, channel)) == size.height,
      let start = unsafe heif_image_get_plane_readonly(image, channel, &stride),
      Int(stride) >= size.width
    else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: size.width * size.height) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      for row in 0..<size.height {
        unsafe (target + row * size.width).initialize(
          from: start + row * Int(stride),
          count: size.width
        )
      }
      count = size.width * size.height
    }
  }
}
