package import ImageFormats
package import ImageOrientation
public import Upright

/// The result of one file as a JSON object; `docs/output.md` documents it.
///
/// `JSONReport+Fields.swift` lists the fields and where their values come from.
public struct JSONReport {
  /// The version of the schema; it changes when a field is removed or changes its meaning.
  package static let schema = "upright/2"

  package var path: String
  /// The bytes of the path in hexadecimal, if they are not UTF-8.
  package var pathBytes: String?
  /// The path of the result, if it is not `path`.
  package var output: String?
  package var status: Status
  private var sharedPlan: Shared<Plan>?
  /// Whether the plan was carried out.
  private(set) var isDone = false
  private var sharedRewrite: Shared<Rewrite>?
  private var sharedFacts: Shared<Facts>?
  /// Why the file stays as it is, or only its tag is reset.
  package var reason: Reason?
  package var error: UprightError?
  /// The format of the file or, of a conversion, of the result; nil if it is unknown.
  package var format: ImageFormat?
  /// How the stored image is transformed.
  package var transform: OrientationTransform?
  /// The size of the stored image or, of a conversion, of the result; nil if it is unknown.
  package var width: Int?
  package var height: Int?
  /// The chroma sampling of a JPEG image.
  package var sampling: String?
  package var changes: [Change] = []
  package var notes: [Note] = []
  /// The size of the new file in bytes.
  package var size: Int?
  package var sha256: String?
  /// The SHA-256 of the file before and after a recorded rewrite.
  package var hashes: (before: String, after: String)?
  /// The name that the file should have, if its ending is that of another format.
  package var expectedName: String?
  /// The names of the images and videos next to the file whose names differ in their endings only.
  package var pairedWith: [String] = []
  /// What the new file lacks although the photo was processed.
  package var warnings: [Note] = []
  /// The files beside the photo that describe it, or may.
  package var companions: [Companion] = []
  /// The quality of a conversion.
  package var quality: Int?
  /// What a conversion could not carry over.
  package var losses: [Reason] = []

  /// Creates a report with only the path and the status.
  package init(path: String, status: Status) {
    self.path = path
    self.status = status
  }

  /// Creates the report of a planned file, as in an audit.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - plan: The plan.
  ///   - facts: The facts about the file, if they were collected.
  public init(path: String, planned plan: Plan, facts: Facts? = nil) {
    self.init(path: path, sharing: Shared(plan), facts.map(Shared.init))
  }

  /// Creates the report of a planned file, as in an audit.
  package init(path: String, sharing plan: Shared<Plan>, _ facts: Shared<Facts>?) {
    self.init(path: path, status: plan.status)
    sharedFacts = facts
    describe(plan)
  }

  /// Creates the report of a processed file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - outcome: The outcome.
  public init(path: String, done outcome: Outcome) {
    self.init(path: path, status: Status(outcome.plan, isDone: true))
    isDone = true
    describe(Shared(outcome.plan))
    guard let rewrite = outcome.rewrite else { return }
    sharedRewrite = Shared(rewrite)
    size = rewrite.bytes.count
    if !rewrite.changes.isEmpty { changes = rewrite.changes }
  }

  /// Creates the report of a file that is not converted.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - reason: Why it is skipped.
  public init(path: String, skipped reason: Reason) {
    self.init(path: path, status: .skipped)
    self.reason = reason
  }

  /// Creates the report of a file that could not be processed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - error: The error.
  public init(path: String, failed error: UprightError) {
    self.init(path: path, status: .failed)
    self.error = error
  }

  private mutating func describe(_ plan: Shared<Plan>) {
    sharedPlan = plan
    format = plan.value.image.format
    width = plan.value.image.size.width
    height = plan.value.image.size.height
    sampling = plan.value.image.jpeg?.sampling
    notes = plan.value.notes
    changes = plan.value.changes
    switch plan.value.action {
    case .unchanged(let why), .skip(let why), .resetTag(let why): reason = why
    case .changeTag: break
    case .transform(let transform, _): self.transform = transform
    }
  }
}

extension JSONReport {
  /// The plan, if there is one.
  package var plan: Plan? { sharedPlan?.value }

  /// What the execution of the plan resulted in.
  var rewrite: Rewrite? { sharedRewrite?.value }

  /// What an audit found besides the plan.
  var facts: Facts? { sharedFacts?.value }

  /// What a transform does with the edges, if there is one.
  var edges: Edges? {
    guard case .transform(_, let edges)? = plan?.action else { return nil }
    return edges
  }

  /// The edges that are cut off.
  package var trimmed: TrimmedEdges? {
    guard case .trimmed(let trimmed)? = edges else { return nil }
    return trimmed
  }

  /// The part of the image that a transform keeps.
  package var crop: Crop? { edges == nil ? nil : plan?.crop }

  /// The images in the file, and what became of them.
  var embeddedImages: [ReportedImage] {
    guard let plan else { return [] }
    let isChanged = isDone && plan.action.rewrites
    return (facts?.embeddedImages ?? plan.embeddedImages).map {
      ReportedImage(image: $0, isChanged: isChanged)
    }
  }

  /// The object on one line, without a line end: keys sorted, slashes not escaped.
  public var json: String { jsonLine }
}

/// An image in a file.
struct ReportedImage {
  var image: EmbeddedImage
  /// Whether the file was changed, so that something became of the image.
  var isChanged: Bool
}
