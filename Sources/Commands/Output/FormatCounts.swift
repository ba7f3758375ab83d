internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import Upright

extension FileReport {
  /// Returns what states the orientation of an audited file.
  func statement(_ plan: Shared<Plan>, _ facts: Shared<Facts>) -> FormatCounts.Statement {
    if expectedName != nil { return .misnamed }
    if plan.value.image.format == .jpeg {
      return switch plan.value.action {
      case .unchanged: .upright
      case .skip: .skipped
      case .resetTag, .changeTag, .transform: .tagged
      }
    }
    if facts.value.orientationsAgree == false {
      guard case .skip = plan.value.action else { return .sidecar }
      return .contradict
    }
    if plan.value.image.isUpright { return .upright }
    return facts.value.formatOrientation != nil ? .agree : .tagged
  }
}

/// The number of files of each format, by what states their orientation.
struct FormatCounts: Sendable {
  /// What states the orientation of a file; the names are those of columns.
  enum Statement: String, CaseIterable, Sendable {
    case upright
    /// Only a tag, which readers may ignore.
    case tagged
    /// The format itself, and nothing contradicts it.
    case agree
    /// Statements that contradict each other.
    case contradict
    /// The sidecar, differently from the file.
    case sidecar
    /// Whatever it is, the file has the name of another format.
    case misnamed
    case skipped, failed
  }

  /// The counts by format, which is nil for files that could not be read.
  private var formats = SurveyGroups<ImageFormat?, Counts<Statement>>()

  /// Whether there is more than JPEG files with their own names.
  var isVaried: Bool {
    formats.groups.contains { $0.key != nil && $0.key != .jpeg || $0.counts[.misnamed] > 0 }
  }

  /// The counts of each format, the most frequent first.
  var rows: [(format: String, counts: Counts<Statement>)] {
    formats.groups.map { ($0.key?.name ?? "unknown", $0.counts) }.sorted {
      ($1.counts.sum, $0.format) < ($0.counts.sum, $1.format)
    }
  }

  mutating func count(_ statement: Statement, of format: ImageFormat?) {
    formats.count(in: format) { $0[statement] += 1 }
  }

  static func += (total: inout FormatCounts, more: FormatCounts) { total.formats += more.formats }
}
