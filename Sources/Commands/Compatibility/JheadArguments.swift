internal import FileSystem
internal import ImageOrientation
internal import Reports
internal import Upright

/// The command line of jhead.
///
/// Source: the manual and the behaviour of jhead 3.06.
enum JheadArguments {
  /// Returns what the arguments request.
  static func request(_ arguments: [String]) throws(CompatibilityError) -> CompatibleRequest {
    var isAutomatic = false
    var resetsTag = false
    var isQuiet = false
    var rest = arguments[...]
    while let word = rest.first, word.hasPrefix("-") {
      rest.removeFirst()
      switch word {
      case "-autorot": isAutomatic = true
      case "-norot": resetsTag = true
      case "-q": isQuiet = true
      // Neither is printed.
      case "-se", "-nofinfo": break
      case "-h": return .text(help)
      case "-V": return .text("Upright \(Version.current), called as jhead")
      default: throw .unsupported(TextFormat.escaped(word))
      }
    }
    guard isAutomatic || resetsTag else { throw .unsupported("call without -autorot or -norot") }
    if isAutomatic, resetsTag { throw .usage("-autorot and -norot cannot be combined") }
    guard !rest.isEmpty else { throw .usage("no files to process. Use -h for help.") }
    return .work(
      CompatibleWork(
        // With -norot, the stored image is kept, and the tag is set to 1.
        rewriter: Rewriter(
          resetsTag ? .stored(OrientationTransform.none) : .normalize(),
          options: .resettingInvalid
        ),
        files: Array(rest),
        times: .keep,
        replacesLinks: true,
        confirmation: isQuiet ? nil : "Modified: "
      )
    )
  }

  private static let help = """
    Usage: jhead [options] files   (Upright \(Version.current))

      -autorot   rotate images according to the Exif Orientation tag, and set it to 1
      -norot     set the Orientation tag to 1; keep the image
      -q         no messages on success
      -h, -V     print this help text, the version
    """
}
