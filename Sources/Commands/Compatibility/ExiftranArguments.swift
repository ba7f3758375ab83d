internal import FileSystem
internal import ImageOrientation
internal import PhotoFiles
internal import Reports
internal import Upright

/// The command line of exiftran.
///
/// Source: the manual and the behaviour of exiftran 2.10, which reads its options with getopt(3).
enum ExiftranArguments {
  private static let transforms: [Character: OrientationTransform] = [
    "9": .rotate90, "1": .rotate180, "2": .rotate270, "f": .flipVertical, "F": .flipHorizontal,
    "t": .transpose, "T": .transverse,
  ]

  /// Returns what the arguments request.
  static func request(_ arguments: [String]) throws(CompatibilityError) -> CompatibleRequest {
    var transform: OrientationTransform?
    var isAutomatic = false
    var keepsTag = false
    var isInPlace = false
    var keepsOriginal = false
    var keepsTimes = false
    var output: String?
    let (options, files) = try parsed(arguments)
    for (option, value) in options {
      switch option {
      case "h": return .text(help)
      case "a": isAutomatic = true
      case "i": isInPlace = true
      case "b": keepsOriginal = true
      case "p": keepsTimes = true
      case "o": output = value
      case "n" where value == "o": keepsTag = true
      // Edges are never cut off.
      case "n" where value == "p": break
      case "n" where value == "t" || value == "i": throw .unsupported("-n\(value)")
      case "n": throw .usage("unknown option -n\(TextFormat.escaped(value))")
      case "c", "d", "g": throw .unsupported("-\(option)")
      default:
        guard let requested = transforms[option] else {
          throw .usage("invalid option -- '\(option)'")
        }
        guard transform == nil || transform == requested else {
          throw .usage("only one transform at a time (try -h for more info)")
        }
        transform = requested
      }
    }
    guard !files.isEmpty else { throw .usage("no image file specified (try -h for more info)") }
    guard isAutomatic || transform != nil else {
      throw .usage("no transform specified (try -h for more info)")
    }
    if isAutomatic, transform != nil { throw .usage("-a and another transform cannot be combined") }
    guard isInPlace || output != nil else {
      throw .usage("specify an output file (-o <file>) or enable in-place editing (-i)")
    }
    guard output == nil || files.count == 1 else { throw .usage("-o takes one input file") }
    return .work(
      CompatibleWork(
        rewriter: Rewriter(
          .stored(transform, keepsTag: keepsTag),
          options: keepsTag ? Options() : .resettingInvalid
        ),
        files: files,
        destination: output.map { Destination(outfile: $0, of: files[0]) } ?? .inPlace,
        backupSuffix: keepsOriginal ? "~" : nil,
        times: keepsTimes ? .keep : .now,
        replacesLinks: true,
        announcement: output == nil ? "processing " : nil
      )
    )
  }

  /// Returns the options with their values, and the other arguments, as getopt(3) of the GNU C library does.
  private static func parsed(
    _ arguments: [String]
  ) throws(CompatibilityError) -> (options: [(Character, String)], files: [String]) {
    var options: [(Character, String)] = []
    var files: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" { return (options, files + rest) }
      guard word.hasPrefix("-"), word != "-" else {
        files.append(word)
        continue
      }
      var letters = word.dropFirst()
      while let letter = letters.popFirst() {
        guard "con".contains(letter) else {
          options.append((letter, ""))
          continue
        }
        guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
          throw .usage("option requires an argument -- '\(letter)'")
        }
        options.append((letter, value))
        break
      }
    }
    return (options, files)
  }

  private static let help = """
    usage: exiftran [ options ] file ...   (Upright \(Version.current))

      -a         automatic (using exif orientation tag)
      -9 -1 -2   rotate the stored image by 90, 180, 270 degrees clockwise
      -f -F      mirror image vertically, horizontally
      -t -T      transpose, transverse
      -no        don't update the orientation tag
      -np        don't pare lost edges (always)
      -o <file>  output file
      -i         change files inplace
      -b         create a backup file, FILE~  (with -i)
      -p         preserve timestamps
      -h         print this help text
    """
}
