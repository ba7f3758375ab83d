internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import SystemPackage
internal import Upright

extension Facts {
  /// Whether the file is a JPEG file.
  var isJPEG: Bool { format == "jpeg" }
  /// The format, if it is another than JPEG.
  var otherFormat: ImageFormat? { isJPEG ? nil : ImageFormat(rawValue: format) }
}

extension FileReport {
  /// What an audit found in a file of a format other than JPEG, or with the name of another format, as in `HEIC agree`; nil
  /// for a JPEG file with the name of one.
  var formatFinding: String? {
    guard let facts else { return nil }
    let name = ImageFormat(rawValue: facts.format)?.name ?? facts.format
    if expectedName != nil {
      return "\(name) named .\(TextFormat.escaped(path.extension?.lowercased() ?? ""))"
    }
    guard !facts.isJPEG, let plan else { return nil }
    if facts.orientationsAgree == false {
      guard case .skip = plan.action else {
        return "\(name) with another Orientation in the sidecar"
      }
      return "\(name) contradict themselves"
    }
    if plan.image.isUpright { return "\(name) upright" }
    return facts.formatOrientation != nil
      ? "\(name) agree" : "\(name) with Orientation \(plan.image.orientation?.rawValue ?? 1)"
  }
}

/// The number of files of each format and finding.
struct FormatCounts: Sendable {
  private var counts: [String: Int] = [:]
  /// What the tables count for these files.
  private var files = SurveyCounts()

  var isEmpty: Bool { counts.isEmpty }

  mutating func count(_ finding: String, _ kind: SurveyEntry.Kind) {
    counts[finding, default: 0] += 1
    files.count(kind)
  }

  static func += (total: inout FormatCounts, more: FormatCounts) {
    total.counts.merge(more.counts, uniquingKeysWith: +)
    total.files += more.files
  }

  /// Returns the totals as one line, such as `1204 JPEG upright · 311 HEIC agree · 9 TIFF with Orientation 6`.
  ///
  /// Of all files, those that are not counted here are JPEG files, or failed.
  func line(_ all: SurveyCounts) -> String {
    let jpeg = [
      (all[.unchanged] - files[.unchanged], "JPEG upright"),
      (all.rewritten - files.rewritten, "JPEG to normalize"),
      (all[.skipped] - files[.skipped], "JPEG skipped"),
    ]
    let others = counts.map { ($0.value, $0.key) }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
    return (jpeg + others + [(all[.failed], "cannot be read")]).filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }.joined(separator: " · ")
  }
}
