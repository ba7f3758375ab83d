internal import ImageFormats
internal import ImageOrientation
internal import SystemPackage
internal import Upright

extension Facts {
  /// Whether the file is a JPEG file.
  var isJPEG: Bool { format == "jpeg" }
  /// The format, if it is another than JPEG.
  var otherFormat: ImageFormat? { isJPEG ? nil : ImageFormat(rawValue: format) }
}

/// What an audit found in a file of a format other than JPEG, or with the name of another format.
enum FormatFinding: Hashable, Sendable {
  /// All statements lead to the same display, and one of them is not 1.
  case agrees
  /// The image is stored as it is displayed.
  case upright
  case disagrees
  /// The sidecar of a camera raw file has another Orientation.
  case hasOtherSidecar
  /// Orientation is not 1, and nothing contradicts it.
  case tagged(Int)
  /// The ending is that of another format.
  case misnamed(ending: String)

  /// Returns what was found in a file, or nil for a JPEG file with the name of one.
  static func found(in report: FileReport) -> (format: String, finding: FormatFinding)? {
    guard let facts = report.facts else { return nil }
    if report.expectedName != nil {
      return (facts.format, .misnamed(ending: report.path.extension?.lowercased() ?? ""))
    }
    guard !facts.isJPEG, let plan = report.plan else { return nil }
    let finding: FormatFinding =
      if facts.orientationsAgree == false {
        if case .skip = plan.action { .disagrees } else { .hasOtherSidecar }
      } else if plan.image.isUpright {
        .upright
      } else if facts.formatOrientation != nil {
        .agrees
      } else {
        .tagged(plan.image.orientation?.rawValue ?? 1)
      }
    return (facts.format, finding)
  }
}

/// The number of files of each format and finding.
struct FormatCounts: Sendable {
  private struct Key: Hashable, Sendable {
    var format: String
    var finding: FormatFinding
  }

  private var counts: [Key: Int] = [:]
  /// What the tables count for these files.
  private var files = SurveyCounts()

  var isEmpty: Bool { counts.isEmpty }

  mutating func count(_ found: (format: String, finding: FormatFinding), _ kind: SurveyEntry.Kind) {
    counts[Key(format: found.format, finding: found.finding), default: 0] += 1
    files.count(kind)
  }

  static func += (total: inout FormatCounts, more: FormatCounts) {
    total.counts.merge(more.counts, uniquingKeysWith: +)
    total.files += more.files
  }

  /// Returns the totals as one line.
  ///
  /// - Parameter all: The counts of all files; those that are not counted here are JPEG files, or failed.
  /// - Returns: The line, such as `1204 JPEG upright · 311 HEIC agree · 9 TIFF with Orientation 6`.
  func line(_ all: SurveyCounts) -> String {
    let jpeg = [
      (all[.unchanged] - files[.unchanged], "JPEG upright"),
      (all.rewritten - files.rewritten, "JPEG to normalize"),
      (all[.skipped] - files[.skipped], "JPEG skipped"),
    ]
    let others = counts.map { ($0.value, $0.key.finding.text($0.key.format)) }
      .sorted { ($1.0, $0.1) < ($0.0, $1.1) }
    return (jpeg + others + [(all[.failed], "cannot be read")]).filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }.joined(separator: " · ")
  }
}

extension FormatFinding {
  /// Returns the finding after the name of a format, as in `HEIC agree`.
  fileprivate func text(_ format: String) -> String {
    let name = ImageFormat(rawValue: format)?.name ?? format
    return switch self {
    case .agrees: "\(name) agree"
    case .upright: "\(name) upright"
    case .disagrees: "\(name) contradict themselves"
    case .hasOtherSidecar: "\(name) with another Orientation in the sidecar"
    case .tagged(let value): "\(name) with Orientation \(value)"
    case .misnamed(let ending): "\(name) named .\(TextFormat.escaped(ending))"
    }
  }
}
