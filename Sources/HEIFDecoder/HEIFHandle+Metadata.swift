#if HEIF
internal import CHEIF
internal import Conversion
internal import ImageOrientation
internal import JPEGCore
internal import Upright

extension HEIFHandle {
  /// Returns the colour description of the container.
  ///
  /// libheif does not report that of the coded stream.
  func colour() throws(UprightError) -> ColourDescription {
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
      ColourCodePoints(
        primaries: Int(profile.pointee.color_primaries.rawValue),
        transfer: Int(profile.pointee.transfer_characteristics.rawValue)
      )
    )
  }

  /// Adds Exif, XMP, and the losses of the image.
  func readMetadata(into image: inout DecodedImage) throws(UprightError) {
    for block in metadataBlocks() {
      switch (block.type, block.contentType) {
      case ("Exif", _) where image.exif == nil:
        image.exif = try exif(block.identifier)
      case ("mime", "application/rdf+xml") where image.xmp == nil:
        image.xmp = try content(block.identifier)
      default:
        let name = block.contentType.isEmpty ? block.type : block.contentType
        image.losses.append(Loss(.metadata, "metadata of type \(name)"))
      }
    }
    image.losses += losses()
  }

  private typealias MetadataBlock = (identifier: UInt32, type: String, contentType: String)

  private func metadataBlocks() -> [MetadataBlock] {
    let count = unsafe heif_image_handle_get_number_of_metadata_blocks(handle, nil)
    var identifiers = [UInt32](repeating: 0, count: max(0, Int(count)))
    let found = unsafe heif_image_handle_get_list_of_metadata_block_IDs(
      handle,
      nil,
      &identifiers,
      count
    )
    return identifiers.prefix(Int(found)).map { identifier in
      unsafe (
        identifier,
        Self.text(heif_image_handle_get_metadata_type(handle, identifier)),
        Self.text(heif_image_handle_get_metadata_content_type(handle, identifier))
      )
    }
  }

  private func content(_ identifier: UInt32) throws(UprightError) -> [UInt8] {
    let size = unsafe heif_image_handle_get_metadata_size(handle, identifier)
    return try unsafe bytes(size) { unsafe heif_image_handle_get_metadata(handle, identifier, $0) }
  }

  /// Returns the TIFF data of an Exif item, whose offset is in its first four bytes (ISO/IEC 23008-12, A.2.1).
  private func exif(_ identifier: UInt32) throws(UprightError) -> [UInt8]? {
    let item = try content(identifier)
    guard let offset = item.span.uint32(at: 0) else { return nil }
    return Array(item.dropFirst(4 + Int(offset)))
  }

  /// Returns the parts of the image that a JPEG file cannot contain.
  private func losses() -> [Loss] {
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
    var error: UprightError?
    let result = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      error = unsafe UprightError(fill(start))
      if error == nil { count = size }
    }
    if let error { throw error }
    return result
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }
}
#endif
