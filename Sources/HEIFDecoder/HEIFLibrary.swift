internal import CHEIF

/// The library libheif, which is loaded at first use.
package enum HEIFLibrary {
  /// Why libheif cannot be used; nil if it is loaded and its codecs are registered.
  package static let problem: String? = {
    if let message = unsafe load_libheif() { return unsafe String(cString: message) }
    let error = unsafe heif_init(nil)
    guard unsafe error.code != heif_error_Ok else { return nil }
    return unsafe error.message.map { unsafe String(cString: $0) }
      ?? "libheif could not be initialized"
  }()
}
