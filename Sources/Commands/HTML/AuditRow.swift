internal import FoundationEssentials
internal import ImageOrientation
internal import Reports
internal import SystemPackage
internal import Upright

/// What the page knows of one file: an object of its data.
struct AuditRow: Encodable {
  /// The path as it may be shown.
  var path: String
  /// A ``SurveyEntry/Kind``.
  var kind: String
  /// What would be done or went wrong; absent where the kind says it all.
  var text: String?
  /// Whether somebody should look at the file.
  var attention: Bool?
  /// The identifiers of what may go wrong: of reasons, of errors, and ``Risk``.
  var risks: [String]?
  var traits: [String]?
  /// What speaks against the tag.
  var evidence: [String]?
  var sidecar: String?
  var width: Int?
  var height: Int?
  var sampling: String?
  var orientation: Int?
  var camera: String?
  var captured: String?
  var bytes: Int?
  /// The thumbnail's width and height as stored.
  var thumbnail: [Int]?

  /// What may go wrong besides the reasons and errors.
  private enum Risk: String {
    case redrawn = "edges-redrawn"
    case trimmed = "edges-cut-off"
    case conflict
    case xmpDisagrees = "xmp-disagrees"
    case credentials = "content-credentials"
    case sidecar

    /// Whether somebody should look at files because of this alone.
    var needsAttention: Bool { self != .sidecar }
  }

  init(_ report: FileReport) {
    let entry = SurveyEntry(report)
    path = TextFormat.path(report.path)
    kind = "\(entry.kind)"
    let identifiers = Self.risks(report, entry)
    if !identifiers.isEmpty { risks = identifiers }
    if identifiers.contains(where: { Risk(rawValue: $0)?.needsAttention ?? true }) {
      attention = true
    }
    if entry.kind != .nothing, entry.kind != .exact {
      text = TextFormat.escaped(TextFormat.action(report))
    }
    sidecar = report.sidecar
    if let picture = report.plan?.picture {
      width = picture.width
      height = picture.height
      sampling = picture.sampling
      orientation = picture.orientation?.rawValue
    }
    guard let facts = report.facts else { return }
    // A file that is left alone because of them names them in its text.
    if !facts.conflicts.isEmpty, entry.kind != .left { evidence = facts.conflicts.map(\.text) }
    if !entry.traits.isEmpty { traits = entry.traits.map(\.rawValue).sorted() }
    camera = facts.camera.map(TextFormat.escaped)
    captured = facts.captured.map(TextFormat.escaped)
    bytes = facts.size
    if let stored = facts.pictures.first(where: { $0.role == .thumbnail }),
      let width = stored.width, let height = stored.height
    {
      thumbnail = [width, height]
    }
  }

  private static func risks(_ report: FileReport, _ entry: SurveyEntry) -> [String] {
    var risks: [String] = []
    func add(_ risk: Risk, _ applies: Bool) {
      if applies, !risks.contains(risk.rawValue) { risks.append(risk.rawValue) }
    }
    if entry.kind != .nothing, let reason = entry.reason { risks.append(reason.id) }
    add(.redrawn, entry.kind == .redrawn)
    add(.trimmed, entry.kind == .trimmed)
    add(.conflict, report.facts?.conflicts.isEmpty == false)
    add(.xmpDisagrees, entry.traits.contains(.xmpDisagrees))
    let rewrites = report.plan?.action.rewrites == true
    add(.credentials, rewrites && entry.traits.contains(.credentials))
    add(.sidecar, rewrites && report.sidecar != nil)
    return risks
  }

  /// The object without its last brace, with no `<` that could end the script around it.
  var beginning: [UInt8] {
    Array(jsonBytes.dropLast()).escapingMarkup()
  }
}

extension [UInt8] {
  /// JSON in which no `<` stands as such.
  func escapingMarkup() -> [UInt8] {
    let less = UInt8(ascii: "<")
    guard contains(less) else { return self }
    return flatMap { $0 == less ? Array("\\u003c".utf8) : [$0] }
  }
}
