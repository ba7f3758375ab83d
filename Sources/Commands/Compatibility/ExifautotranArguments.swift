internal import FileSystem
internal import Reports
internal import Upright

/// The command line of exifautotran.
///
/// Source: the script in libjpeg-turbo's Debian package.
enum ExifautotranArguments {
  /// Returns what the arguments request.
  static func request(_ arguments: [String]) throws(CompatibilityError) -> CompatibleRequest {
    for argument in arguments {
      switch argument {
      case "-v", "--version": return .text("exifautotran (Upright \(Version.current))")
      case "-h", "--help":
        return .text(
          "exifautotran [list of files]\n\nTransforms Exif files so that Orientation becomes 1"
        )
      default: break
      }
    }
    guard !arguments.isEmpty else { return .text("") }
    return .work(CompatibleWork(rewriter: Rewriter(), files: arguments))
  }
}
