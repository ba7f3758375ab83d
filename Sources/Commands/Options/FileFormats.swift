internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import SystemPackage

/// The formats of the files that a command processes: `--formats`.
struct FileFormats: Sendable {
  private(set) var formats: Set<ImageFormat>

  /// All formats.
  static let all = FileFormats(formats: Set(ImageFormat.allCases))
  /// JPEG alone.
  static let jpeg = FileFormats(formats: [.jpeg])

  /// The names of all formats, for people.
  static var list: String {
    let images = ImageFormat.all(of: .image).filter { $0 != .heic }
      .map { $0 == .heif ? "heif (with HEIC)" : $0.rawValue }
    let raws = ImageFormat.all(of: .raw).prefix(3).map(\.name).joined(separator: ", ")
    let videos = ImageFormat.all(of: .video).map(\.name).joined(separator: " and ")
    return (images + ["raw (camera raw: \(raws) and others)", "video (\(videos))"])
      .joined(separator: ", ")
  }

  /// Whether formats besides JPEG are processed.
  var hasOthers: Bool { formats != [.jpeg] }

  func contains(_ format: ImageFormat) -> Bool { formats.contains(format) }

  /// Returns whether a file begins like one of the formats; true also if it cannot be read, so that its reader reports
  /// why.
  func mayContain(_ path: FilePath) -> Bool {
    let length = ImageFormat.recognizedLength
    guard let beginning = try? FileReader(path).read(at: 0, count: length) else { return true }
    return ImageFormat(beginning: beginning.span).map { formats.contains($0) } ?? false
  }
}

extension FileFormats: ExpressibleByArgument {
  init?(argument: String) {
    formats = []
    for name in argument.split(separator: ",") {
      switch name {
      case "all": self = .all
      // HEIC is HEIF; which of them a file is depends on its content.
      case "heif", "heic": formats.formUnion([.heif, .heic])
      case "raw": formats.formUnion(ImageFormat.all(of: .raw))
      case "video": formats.formUnion(ImageFormat.all(of: .video))
      default:
        guard let format = ImageFormat(rawValue: String(name)), format.content == .image else {
          return nil
        }
        formats.insert(format)
      }
    }
    if formats.isEmpty { return nil }
  }

  var defaultValueDescription: String { hasOthers ? "all" : "jpeg" }
}

/// The option for the formats of the files that are rewritten.
struct FormatOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Formats of the files to process from directories and lists, separated by commas: jpeg, heif (with HEIC), avif, tiff, \
      dng, png. Of HEIF and AVIF, the properties irot and imir are changed, of TIFF and PNG only the tag; no coded \
      image changes. A file that is named itself is processed whatever its format, or skipped with the reason.
      """,
      valueName: "formats"
    )
  )
  var formats = FileFormats.jpeg
}
