internal import CHEIF
internal import Conversion
internal import ImageOrientation
internal import Upright

extension HEIFHandle {
  /// Returns the color description of the container.
  ///
  /// libheif does not report that of the coded stream.
  func color() throws(UprightError) -> ColorDescription {
    let size = unsafe heif_image_handle_get_raw_color_profile_size(handle)
    if size > 0 {
      return .profile(
        try unsafe bytes(size) { unsafe heif_image_handle_get_raw_color_profile(handle, $0) }
      )
    }
    var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
    let status = unsafe heif_image_handle_get_nclx_color_profile(handle, &profile).code
    defer { unsafe heif_nclx_color_profile_free(profile) }
    guard status == heif_error_Ok, let profile = unsafe profile else {
      return .unspecified
    }
    return unsafe .codePoints(
      ColorCodePoints(
        primaries: Int(profile.pointee.color_primaries.rawValue),
        transfer: Int(profile.pointee.transfer_characteristics.rawValue)
      )
    )
  }

  /// Returns the parts of the image that a JPEG file cannot contain.
  func losses() -> [Loss] {
    var losses: [Loss] = []
    if let depth, depth > 8 {
      losses.append(Loss(.precision, "\(depth) bits per sample, of which 8 are kept"))
    }
    if unsafe heif_image_handle_has_alpha_channel(handle) != 0 {
      losses.append(Loss(.alpha, "the transparency (alpha channel)"))
    }
    if unsafe heif_image_handle_has_depth_image(handle) != 0 {
      losses.append(Loss(.depthMap, "the depth map"))
    }
    return losses + auxiliaryImages()
  }

  private func auxiliaryImages() -> [Loss] {
    let filter = Int32(LIBHEIF_AUX_IMAGE_FILTER_OMIT_ALPHA | LIBHEIF_AUX_IMAGE_FILTER_OMIT_DEPTH)
    let count = unsafe heif_image_handle_get_number_of_auxiliary_images(handle, filter)
    var identifiers = [UInt32](repeating: 0, count: max(0, Int(count)))
    let found = unsafe heif_image_handle_get_list_of_auxiliary_image_IDs(
      handle,
      filter,
      &identifiers,
      count
    )
    return identifiers.prefix(Int(found)).map { identifier in
      var auxiliary: OpaquePointer?
      _ = unsafe heif_image_handle_get_auxiliary_image_handle(handle, identifier, &auxiliary)
      guard let auxiliary = unsafe auxiliary else {
        return Loss(.auxiliaryImage, "an auxiliary image that cannot be read")
      }
      return unsafe HEIFHandle(auxiliary).auxiliaryLoss
    }
  }

  /// The loss of this auxiliary image.
  private var auxiliaryLoss: Loss {
    var name: UnsafePointer<CChar>?
    _ = unsafe heif_image_handle_get_auxiliary_type(handle, &name)
    defer { unsafe heif_image_handle_free_auxiliary_types(handle, &name) }
    let type = unsafe Self.text(name)
    let place = "\(size.width)×\(size.height), \(type)"
    let part = type.split(separator: ":").last.map(String.init) ?? ""
    switch part.lowercased() {
    case "hdrgainmap": return Loss(.gainMap, "the gain map for high dynamic range (\(place))")
    case "disparity", "depth": return Loss(.depthMap, "the depth map (\(place))")
    case let name where name.hasSuffix("matte"): return Loss(.matte, "a matte (\(place))")
    default: return Loss(.auxiliaryImage, "an auxiliary image (\(place))")
    }
  }

  /// Returns bytes that libheif writes.
  private func bytes(
    _ size: Int,
    _ fill: (UnsafeMutableRawPointer) -> heif_error
  ) throws(UprightError) -> [UInt8] {
    guard size > 0 else { return [] }
    // libheif may write less than it announces.
    var result = [UInt8](repeating: 0, count: size)
    let error = unsafe result.withUnsafeMutableBytes { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe UprightError(fill($0)) }
    }
    if let error { throw error }
    return result
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }
}
