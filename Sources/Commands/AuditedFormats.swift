internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import SystemPackage
internal import Upright

/// The formats of the files that an audit reads: `--formats`.
struct AuditedFormats: Sendable {
  private(set) var formats: Set<ImageFormat>

  /// All formats.
  static let all = AuditedFormats(formats: Set(ImageFormat.allCases))

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
      }
    }
  }

  /// Whether formats besides JPEG are read.
  var hasOthers: Bool { formats != [.jpeg] }

  /// Whether JPEG is read.
  var hasJPEG: Bool { formats.contains(.jpeg) }

  func contains(_ identifier: String) -> Bool {
    ImageFormat(rawValue: identifier).map { formats.contains($0) } ?? false
  }

  /// Returns whether a file begins like one of the formats; true also if it cannot be read, so that its reader reports
  /// why.
  func mayContain(_ path: FilePath) -> Bool {
    do throws(FileError) {
      let beginning = try FileReader(path).read(at: 0, count: ImageFormat.recognizedLength)
      return ImageFormat(beginning: beginning.span).map { formats.contains($0) } ?? false
    } catch {
      return true
    }
  }
}

extension AuditedFormats: ExpressibleByArgument {
  init?(argument: String) {
    formats = []
    for name in argument.split(separator: ",") {
      switch name {
      // HEIC is HEIF; which of them a file is depends on its content.
      case "heif", "heic": formats.formUnion([.heif, .heic])
      // A file of either is named .tif or .dng.
      default:
        guard let format = ImageFormat(rawValue: String(name)) else { return nil }
        formats.insert(format)
      }
    }
    if formats.isEmpty { return nil }
  }

  var defaultValueDescription: String { "all" }
}

extension FileReport {
  /// Compares the ending of the name with the format, and notes the name that the file should have.
  mutating func checkName(isTaken: Bool) {
    guard let facts, let format = ImageFormat(rawValue: facts.format),
      let name = path.lastComponent, let ending = name.extension, !format.mayHave(ending: ending)
    else { return }
    let expected = "\(name.stem).\(format.ending)"
    expectedName = expected
    guard format != .jpeg || !isTaken, case .planned(var plan) = result else { return }
    if case .skip = plan.action { return }
    plan.action = .skip(
      Reason(
        Reason.Code(rawValue: "misnamed"),
        "the content is \(format.name); the name should be \(expected)",
        advice: format == .jpeg
          ? "rename it, or process it as it is with --all-names" : "rename it"
      )
    )
    result = .planned(plan)
  }
}
