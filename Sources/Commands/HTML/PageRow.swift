internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the page shows of one file: an object of its data.
struct PageRow {
  /// What was undone, which is none of the kinds that tables distinguish.
  private var isRestored = false
  /// Whether the page shows what was done.
  private let isDone: Bool
  /// The name as it may be shown.
  var name: String
  /// The percent-encoded path; nil if its bytes are those of `name`.
  var raw: String?
  /// What would be or was done with the file.
  var kind: SurveyEntry.Kind
  /// What would be done, the reason why nothing is done, or the error; nil if the kind is enough.
  var text: String?
  /// Whether something can be decided about the file.
  var decide: Bool?
  /// The identifiers of reasons, of errors and of each ``Risk``.
  var risks: [String]?
  /// What decides about a file that needs a decision: the policies that help, and the actions that are commands.
  var remedies: [Remedy]?
  var traits: [String]?
  /// The evidence that the tag is wrong.
  var evidence: [String]?
  var sidecar: String?
  var width: Int?
  var height: Int?
  var orientation: Int?
  var captured: String?
  var bytes: Int?
  /// What metadata says of the displayed image, if the browser can show the file itself and both disagree.
  var stated: Int?
  /// The orientation with which a result is displayed as its original was; nil where nothing was transformed.
  var before: Int?
  /// The percent-encoded path of the result, if that is not the file's.
  var output: String?
  /// How the result was checked before it was written.
  var proof: String?
  /// What is kept although it may not fit the transformed image.
  var misfits: [String]?
  /// The images in a lossless photo that are re-encoded.
  var exceptions: [String]?
  /// The Orientation in the sidecar that contradicts the photo, which is skipped because of it.
  var sidecarOrientation: Int?
  /// Whether one of thumbnail and image is landscape and the other portrait.
  var isThumbnailAcross: Bool?

  /// A risk that is neither a reason nor an error.
  enum Risk: String {
    case reencoded = "re-encoded"
    case trimmed
    case conflict
    case contradicted = "contradicted-tag"
    case xmpDisagrees = "xmp-disagrees"
    case credentials = "content-credentials"
    case sidecar
    case misfit

    /// Whether this risk alone requires a decision.
    var needsDecision: Bool { ![.sidecar, .misfit, .reencoded, .trimmed].contains(self) }
  }

  /// Returns pieces of evidence in an order in which the first one convinces alone, if any does.
  private static func strongestFirst(_ evidence: [TagEvidence]) -> [TagEvidence] {
    let convincing: [TagEvidence.Kind] = [
      .thumbnailContent, .panorama, .thumbnailSwapped, .dimensionsSwapped, .xmpOnly,
      .repeatedIdentifier, .thumbnailShape, .dimensionsShape,
    ]
    return convincing.flatMap { kind in evidence.filter { $0.kind == kind } }
      + evidence.filter { !convincing.contains($0.kind) }
  }

  /// Whether a person should look at the file.
  var needsDecision: Bool {
    kind == .skipped
      || !isDone && kind != .failed
        && risks?.contains { Risk(rawValue: $0)?.needsDecision == true } == true
  }

  /// Creates the row of a file.
  init(_ report: FileReport, _ entry: SurveyEntry, _ settings: Page.Settings) {
    isDone = settings.kind == .report
    let path = TextFormat.path(report.path)
    name = Shared.split(path).name
    if Array(path.utf8) != report.path.bytes { raw = PageLinks.encoded(report.path) }
    kind = entry.kind
    let identifiers = Self.risks(report, entry)
    if !identifiers.isEmpty { risks = identifiers }
    if needsDecision, settings.decides {
      let helpful = Self.remedies(report, identifiers)
      if !helpful.isEmpty { remedies = helpful }
      // Nothing decides about most other files that are skipped.
      if kind != .skipped || !helpful.isEmpty { decide = true }
    }
    if kind != .unchanged, kind != .lossless {
      text = TextFormat.escaped(Self.text(report))
    }
    sidecar = report.companionText
    sidecarOrientation = report.contradictingOrientation
    if let plan = report.plan {
      let (misfits, exceptions) = (plan.misfits.map(\.rawValue), plan.exceptions)
      if !misfits.isEmpty { self.misfits = misfits }
      if !exceptions.isEmpty { self.exceptions = exceptions }
    }
    if isDone { describeResult(report) }
    if let image = isDone ? report.rewrite?.image ?? report.plan?.image : report.plan?.image {
      width = image.size.width
      height = image.size.height
      orientation = image.orientation?.rawValue
    }
    guard let facts = report.facts else { return }
    let found = facts.conflicts.isEmpty ? report.plan?.contradictions ?? [] : facts.conflicts
    if !found.isEmpty { evidence = Self.strongestFirst(found).map(\.text) }
    if !entry.traits.isEmpty { traits = entry.traits.map(\.rawValue).sorted() }
    if let format = report.format, format != .jpeg || report.expectedName != nil {
      traits = (traits ?? []) + [format.name]
    }
    if settings.showsFiles, decide == true { stated = Self.stated(facts, report.format) }
    captured = facts.captured.map(TextFormat.escaped)
    bytes = facts.size
    if let thumbnail = facts.embeddedImages.first(where: { $0.role == .thumbnail }),
      let across = thumbnail.width, let down = thumbnail.height, let width, let height,
      (across - down).signum() * (width - height).signum() < 0
    {
      isThumbnailAcross = true
    }
  }

  /// Sets what only results have.
  private mutating func describeResult(_ report: FileReport) {
    output = report.output.map(PageLinks.encoded)
    if case .undo(let undo) = report.result, undo.status == .restored {
      isRestored = true
      proof = "original"
    }
    guard let rewrite = report.rewrite else { return }
    proof = rewrite.verification.rawValue
    before = Self.before(rewrite.plan)?.rawValue
    text = TextFormat.escaped(Self.text(report))
  }

  /// Returns the orientation with which the result is displayed as the original was: of a normalization, by programs that
  /// ignore the tag; otherwise, by those that obey it.
  private static func before(_ plan: Plan) -> Orientation? {
    guard plan.image.format == .jpeg, !plan.isCropped else { return nil }
    switch plan.action {
    case .transform(let transform, _):
      let displayed = plan.image.displayed(transform)
      return Orientation(uprightBy: (displayed == .none ? transform : displayed).inverse)
    case .resetTag, .changeTag: return plan.image.orientation
    case .unchanged, .skip: return nil
    }
  }

  /// Returns the orientation that metadata gives to the image as readers display it; nil if no browser shows the file,
  /// or if it is how they display it.
  private static func stated(_ facts: Facts, _ format: ImageFormat?) -> Int? {
    // Some browsers show HEIC; the page has no images of it in the others.
    guard format == .avif || format == .heic else { return nil }
    let displayed = facts.formatOrientation ?? .up
    // Beside irot and imir, 1 states nothing.
    let values = [facts.exifOrientation, facts.xmpOrientation].compactMap { $0 }
    let stated = values.lazy.compactMap { Orientation(rawValue: Int(clamping: $0)) }
      .first { $0 != displayed && ($0 != .up || facts.formatOrientation == nil) }
    return stated.map {
      Orientation(uprightBy: displayed.transform.inverse.then($0.transform)).rawValue
    }
  }

  /// A sentence of the page, which has no options of the command.
  private static func text(_ report: FileReport) -> String {
    if case .failed(let error) = report.result { return error.text }
    if case .skip(let reason)? = report.plan?.action { return reason.cause }
    return report.text
  }

  private static func risks(_ report: FileReport, _ entry: SurveyEntry) -> [String] {
    var risks: [String] = []
    func add(_ risk: Risk, _ applies: Bool) {
      if applies, !risks.contains(risk.rawValue) { risks.append(risk.rawValue) }
    }
    if let reason = entry.reason { risks.append(reason.id) }
    add(.reencoded, entry.kind == .reencoded)
    add(.trimmed, entry.kind == .trimmed)
    add(.conflict, report.facts?.conflicts.isEmpty == false)
    add(.xmpDisagrees, entry.traits.contains(.xmpDisagrees))
    let rewrites = report.plan?.action.rewrites == true
    add(.credentials, rewrites && entry.traits.contains(.credentials))
    add(.sidecar, rewrites && report.hasSidecars)
    add(.misfit, report.plan?.misfits.isEmpty == false)
    return risks
  }
}

extension PageRow: JSONObject {
  func writeFields(to json: inout JSONWriter) {
    json.field("before", before)
    json.field("bytes", bytes)
    json.field("captured", captured)
    json.field("decide", decide)
    json.field("disposition", isRestored ? "restored" : kind.word)
    json.field("evidence", evidence)
    json.field("exceptions", exceptions)
    json.field("height", height)
    json.field("isThumbnailAcross", isThumbnailAcross)
    json.field("misfits", misfits)
    json.field("name", name)
    json.field("orientation", orientation)
    json.field("output", output)
    json.field("proof", proof)
    json.field("raw", raw)
    json.field("remedies", remedies)
    json.field("risks", risks)
    json.field("sidecar", sidecar)
    json.field("sidecarOrientation", sidecarOrientation)
    json.field("stated", stated)
    json.field("text", text)
    json.field("traits", traits)
    json.field("width", width)
  }
}

extension PageRow {
  /// What a file mostly has in common with the one before; a row has it only where it differs.
  struct Shared: Equatable, Sendable {
    /// The directory as it may be shown, empty or with a slash at its end.
    var folder = ""
    var camera: String?
    var sampling: String?

    init() {}

    init(_ report: FileReport) {
      folder = Self.split(TextFormat.path(report.path)).folder
      camera = report.facts?.camera.map(TextFormat.escaped)
      // Other formats are named in its place.
      sampling =
        report.plan.map { $0.image.jpeg?.sampling ?? $0.image.format.name }
    }

    /// The directory and the name of a path.
    static func split(_ path: String) -> (folder: String, name: String) {
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
      let start = path.utf8.index(after: slash)
      return (String(path[..<start]), String(path[start...]))
    }

    /// The members of a JSON object for what is not that of the row before, which may be unknown, each with a comma before it.
    func members(after last: Shared?) -> String {
      let values = [
        last.map { $0.folder == folder } == true ? nil : "\"folder\":\(folder.jsonLine)",
        last.map { $0.camera == camera } == true
          ? nil : "\"camera\":\(camera?.jsonLine ?? "null")",
        last.map { $0.sampling == sampling } == true
          ? nil : "\"sampling\":\(sampling?.jsonLine ?? "null")",
      ]
      return values.compactMap { $0.map { "," + $0 } }.joined()
    }
  }
}

extension SurveyEntry.Kind {
  /// What becomes of a file, in the words of the page.
  fileprivate var word: String {
    switch self {
    case .lossless: "lossless"
    case .converted: "converted"
    case .reencoded: "re-encoded"
    case .trimmed: "trimmed"
    case .reset: "tag"
    case .unchanged: "upright"
    case .skipped: "skipped"
    case .failed: "failed"
    case .interrupted: "interrupted"
    }
  }
}
