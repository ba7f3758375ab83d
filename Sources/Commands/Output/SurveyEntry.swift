internal import FileSystem
internal import ImageFormats
internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import Upright

/// What the tables count for one file.
struct SurveyEntry: Sendable {
  /// The actions that the tables distinguish.
  enum Kind: Int, CaseIterable, Sendable {
    case lossless, reencoded, trimmed, reset, converted, unchanged, skipped, failed, interrupted
  }

  var path: FilePath
  /// The directory that the file is in.
  var folder: FilePath
  var kind: Kind
  var isDone: Bool
  /// Why the file is not transformed, or was not, unless it needs no change: the identifier and the text.
  var reason: (id: String, text: String)?
  var size = 0
  var camera: String?
  var traits: [Trait] = []
  /// The format, and what states the orientation, of an audited file with a plan.
  var format: ImageFormat?
  var statement = FormatCounts.Statement.failed

  /// Other properties of a file that the table counts.
  enum Trait: String, CaseIterable, Sendable {
    case position = "GPS position"
    case gainMap = "gain map"
    case motionPhoto = "motion photo"
    case credentials = "content credentials"
    case regions = "regions or subject area"
    case registeredData = "data registered to the pixels"
    case thumbnail = "thumbnail in another orientation"
    case xmpDisagrees = "XMP that disagrees with Exif"
    case sidecar = "sidecars (updated with their photos)"
    case trailer = "data after the image"
    case unknownEnd = "other bytes than an EOI marker at the end"
  }

  init(_ report: borrowing FileReport) {
    path = report.path
    folder = report.folder ?? report.path.removingLastComponent()
    isDone = report.isDone
    let plan = report.sharedPlan
    switch report.result {
    case .failed(let error):
      kind = .failed
      reason = (error.code.rawValue, error.text)
    case .interrupted:
      kind = .interrupted
      reason = (FileError.Problem.interrupted.rawValue, report.text)
    case .undo(let undo):
      kind =
        switch undo.status {
        case .unchanged: .unchanged
        case .skipped: .skipped
        default: .lossless
        }
      reason = kind == .unchanged ? nil : undo.reason.map { ($0.code.rawValue, $0.explanation) }
    case .conversion(let conversion):
      kind = conversion.image == nil ? .skipped : .converted
      reason = conversion.reason.map { ($0.code.rawValue, $0.explanation) }
    case .planned, .done: (kind, reason) = plan.map(Self.kind) ?? (.unchanged, nil)
    }
    guard let facts = report.sharedFacts else { return }
    if let plan {
      format = plan.value.image.format
      statement = report.statement(plan, facts)
    }
    size = facts.value.size
    camera = facts.value.camera
    traits = Self.traits(facts)
    if plan?.value.registeredData.contains(where: { $0.effect == .misregistered }) == true {
      traits.append(.registeredData)
    }
    if report.hasSidecars { traits.append(.sidecar) }
  }

  private static func kind(_ plan: Shared<Plan>) -> (Kind, (id: String, text: String)?) {
    switch plan.value.action {
    case .unchanged: (.unchanged, nil)
    case .skip(let reason): (.skipped, (reason.code.rawValue, reason.explanation))
    case .resetTag(let reason): (.reset, (reason.code.rawValue, reason.explanation))
    case .changeTag: (.reset, nil)
    case .transform(_, .lossless): (.lossless, contradiction(plan))
    case .transform(_, .reencoded): (.reencoded, contradiction(plan))
    case .transform(_, .trimmed): (.trimmed, contradiction(plan))
    }
  }

  /// Returns why the tag of a transformed image may be stale all the same, or nil.
  private static func contradiction(_ plan: Shared<Plan>) -> (id: String, text: String)? {
    plan.value.contradictions.isEmpty
      ? nil
      : (
        "contradicted-tag",
        "the Orientation tag is trusted although "
          + plan.value.contradictions.map(\.text).joined(separator: "; ")
      )
  }

  private static func traits(_ facts: Shared<Facts>) -> [Trait] {
    var traits: [Trait] = []
    if facts.value.hasPosition { traits.append(.position) }
    if facts.value.hasGainMap { traits.append(.gainMap) }
    if facts.value.isMotionPhoto { traits.append(.motionPhoto) }
    if facts.value.hasContentCredentials { traits.append(.credentials) }
    if facts.value.hasRegions || facts.value.hasSubjectArea { traits.append(.regions) }
    if facts.value.thumbnailTransform != nil { traits.append(.thumbnail) }
    if let xmp = facts.value.xmpOrientation, let exif = facts.value.exifOrientation, xmp != exif {
      traits.append(.xmpDisagrees)
    }
    switch facts.value.trailingBytes {
    case nil: if !facts.value.endsWithEOI { traits.append(.unknownEnd) }
    case 0: break
    default: traits.append(.trailer)
    }
    return traits
  }
}
