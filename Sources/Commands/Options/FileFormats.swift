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

  /// The names of files that directories are searched for.
  var names: NameRule.Kind {
    formats.reduce(into: []) { names, format in
      switch format {
      case .jpeg: names.insert(.jpeg)
      case .heic, .heif: names.insert(.heic)
      case .avif: names.insert(.avif)
      case .tiff: names.insert(.tiff)
      case .dng: names.insert(.dng)
      case .png: names.insert(.png)
      case .webp: names.insert(.webp)
      case .jxl: names.insert(.jxl)
      case .nef, .cr2, .arw, .pef, .srw, .rw2, .orf, .raw, .raf, .cr3: names.insert(.raw)
      case .mp4, .mov: names.insert(.video)
      }
    }
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
      case "raw": formats.formUnion(ImageFormat.allCases.filter { $0.isRaw })
      case "video": formats.formUnion(ImageFormat.allCases.filter { $0.isVideo })
      default:
        guard let format = ImageFormat(rawValue: String(name)), !format.isRaw, !format.isVideo
        else { return nil }
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
      Formats of the files to take from directories and lists, separated by commas: jpeg, heif (with HEIC), avif, tiff, \
      dng, png. Of HEIF and AVIF, the properties irot and imir are changed, of TIFF and PNG only the tag; no coded \
      image changes. Files that are named themselves are taken in any case.
      """,
      valueName: "formats"
    )
  )
  var formats = FileFormats.jpeg
}
