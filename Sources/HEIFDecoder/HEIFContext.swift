internal import CHEIF
internal import Upright

/// A HEIF file opened with libheif.
@safe
struct HEIFContext: ~Copyable {
  private let context: OpaquePointer

  /// Reads the structure of a file; libheif keeps a copy of the bytes.
  ///
  /// - Throws: ``UprightError``.
  init(_ file: [UInt8]) throws(UprightError) {
    if let problem = HEIFLibrary.problem { throw UprightError(.unsupported, problem) }
    guard let context = unsafe heif_context_alloc() else {
      throw UprightError(.outOfMemory, "not enough memory for libheif")
    }
    // Files are processed in parallel, so tiles need not be.
    unsafe heif_context_set_max_decoding_threads(context, 0)
    if let error = unsafe UprightError(
      heif_context_read_from_memory(context, file, file.count, nil)
    ) {
      unsafe heif_context_free(context)
      throw error
    }
    unsafe self.context = context
  }

  deinit { unsafe heif_context_free(context) }

  /// The number of top-level images.
  var imageCount: Int {
    unsafe Int(heif_context_get_number_of_top_level_images(context))
  }

  /// Returns the primary image.
  ///
  /// - Throws: ``UprightError``.
  func primaryImage() throws(UprightError) -> HEIFHandle {
    var handle: OpaquePointer?
    if let error = unsafe UprightError(heif_context_get_primary_image_handle(context, &handle)) {
      throw error
    }
    guard let handle = unsafe handle else { throw .noImage }
    return unsafe HEIFHandle(handle)
  }
}

extension UprightError {
  /// Creates the error that libheif reports; nil for success.
  init?(_ error: heif_error) {
    guard unsafe error.code != heif_error_Ok else { return nil }
    let message = unsafe error.message.map { unsafe String(cString: $0) } ?? "unknown error"
    let code: Code =
      switch unsafe (error.code, error.subcode) {
      case (_, heif_suberror_End_of_data): .truncated
      case (_, heif_suberror_Security_limit_exceeded): .limit
      case (heif_error_Memory_allocation_error, _): .outOfMemory
      case (heif_error_Unsupported_filetype, _), (heif_error_Unsupported_feature, _): .unsupported
      case (heif_error_Decoder_plugin_error, _): .damagedScan
      default: .malformed
      }
    self.init(code, "libheif reports: \(message)")
  }

  /// The error if libheif returns neither an image nor an error.
  static let noImage = UprightError(.malformed, "libheif finds no image in the file")
}
