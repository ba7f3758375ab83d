internal import ArgumentParser
internal import ImageFormats
internal import PhotoFiles
internal import Upright

extension FileFormats: ExpressibleByArgument {
  /// The names of all formats, for people.
  static var list: String {
    let images = ImageFormat.all(of: .image).filter { $0 != .heic }
      .map { $0 == .heif ? "heif (with HEIC)" : $0.rawValue }
    let raws = ImageFormat.all(of: .raw).prefix(3).map(\.name).joined(separator: ", ")
    let videos = ImageFormat.all(of: .video).map(\.name).joined(separator: " and ")
    return (images + ["raw (camera raw: \(raws) and others)", "video (\(videos))"])
      .joined(separator: ", ")
  }

  init?(argument: String) {
    var formats: Set<ImageFormat> = []
    for name in argument.split(separator: ",") {
      switch name {
      case "all": formats = Self.all.formats
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
    self.init(formats)
  }

  var defaultValueDescription: String { hasOthers ? "all" : "jpeg" }
}

/// The option for the formats of the files that are rewritten.
struct FormatOption: DeclaredOptions {
  var formats = FileFormats.jpeg

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &formats,
      "formats",
      help: ArgumentHelp(
        """
        Formats of the files to process from directories and lists, separated by commas: jpeg, heif (with HEIC), avif, tiff, \
        dng, png. Of HEIF and AVIF, the properties irot and imir are changed, of TIFF and PNG only the tag; no coded \
        image changes. A file that is named itself is processed whatever its format, or skipped with the reason.
        """,
        valueName: "formats"
      )
    )
  }

  func validate() throws {
    if formats.formats.isDisjoint(with: Request.tag(.remove).formats) {
      throw ValidationError(
        "--formats: no command changes files of these formats; upright audit reads them."
      )
    }
  }
}
