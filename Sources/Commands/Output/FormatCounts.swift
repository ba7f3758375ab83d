internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import SystemPackage
internal import Upright

extension FileReport {
  /// Returns the format of an audited file with a plan, and what states its orientation.
  func statement(_ plan: Plan?) -> (format: String, statement: FormatCounts.Statement) {
    guard let facts, let plan else { return (FormatCounts.unknown, .failed) }
    let name = plan.image.format.name
    if expectedName != nil { return (name, .misnamed) }
    if plan.image.format == .jpeg {
      return switch plan.action {
      case .unchanged: (name, .upright)
      case .skip: (name, .skipped)
      case .resetTag, .changeTag, .transform: (name, .tagged)
      }
    }
    if facts.orientationsAgree == false {
      guard case .skip = plan.action else { return (name, .sidecar) }
      return (name, .contradict)
    }
    if plan.image.isUpright { return (name, .upright) }
    return (name, facts.formatOrientation != nil ? .agree : .tagged)
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

  /// The format of files that could not be read.
  static let unknown = "unknown"

  private var counts: [String: Counts<Statement>] = [:]

  /// Whether there is more than JPEG files with their own names.
  var isVaried: Bool {
    counts.contains { ![Self.unknown, ImageFormat.jpeg.name].contains($0) || $1[.misnamed] > 0 }
  }

  /// The counts of each format, the most frequent first.
  var rows: [(format: String, counts: Counts<Statement>)] {
    counts.map { ($0.key, $0.value) }.sorted {
      ($1.counts.sum, $0.format) < ($0.counts.sum, $1.format)
    }
  }

  mutating func count(_ statement: Statement, of format: String) {
    counts[format, default: Counts()][statement] += 1
  }

  static func += (total: inout FormatCounts, more: FormatCounts) {
    total.counts.merge(more.counts) { $0 + $1 }
  }
}

extension Counts {
  fileprivate static func + (first: Counts, second: Counts) -> Counts {
    var sum = first
    sum += second
    return sum
  }
}
