internal import ImageOrientation
public import Upright

/// The result of one file as a JSON object; `docs/output.md` documents it.
///
/// Properties without a value are nil and omitted.
public struct JSONReport {
  /// The version of the schema; it changes when a field is removed or changes its meaning.
  public static let schema = "upright/2"

  /// Why a file was skipped or could not be processed.
  package struct Reason: JSONObject {
    package var id: String
    package var text: String
    package var offset: Int?
    package var evidence: [Evidence]?
    /// What changes the decision, or prevents the error.
    package var remedies: [JSONRemedy]?

    package init(id: String, text: String, offset: Int? = nil, remedies: [Remedy] = []) {
      self.id = id
      self.text = text
      self.offset = offset
      self.remedies = JSONRemedy.list(remedies)
    }

    package init(_ reason: Upright.Reason) {
      self.init(id: reason.code.rawValue, text: reason.explanation, remedies: reason.remedies)
      if !reason.evidence.isEmpty { evidence = reason.evidence.map(Evidence.init) }
    }

    package func writeFields(to json: inout JSONWriter) {
      json.field("evidence", evidence)
      json.field("id", id)
      json.field("offset", offset)
      json.field("remedies", remedies)
      json.field("text", text)
    }
  }

  /// A reason to suspect that the Orientation tag is stale.
  package struct Evidence: JSONObject {
    package var id: String
    package var text: String

    init(_ evidence: TagEvidence) {
      id = evidence.kind.rawValue
      text = evidence.text
    }

    package func writeFields(to json: inout JSONWriter) {
      json.field("id", id)
      json.field("text", text)
    }
  }

  /// The requested rectangle and the resulting one, in the upright image.
  package struct Crop: JSONObject {
    package struct Rectangle: JSONObject {
      package var x: Int
      package var y: Int
      package var width: Int
      package var height: Int

      init(_ rectangle: ImageRectangle<Int>) {
        (x, y) = (rectangle.x, rectangle.y)
        (width, height) = (rectangle.width, rectangle.height)
      }

      package func writeFields(to json: inout JSONWriter) {
        json.field("height", height)
        json.field("width", width)
        json.field("x", x)
        json.field("y", y)
      }
    }

    package var requested: Rectangle
    package var result: Rectangle

    package func writeFields(to json: inout JSONWriter) {
      json.field("requested", requested)
      json.field("result", result)
    }
  }

  package struct Redraw: JSONObject {
    package var psnr: Hundredths?
    package var largestError: Int
    package var exceptions: Int
    package var exceptionBytes: Int
    package var sizeBefore: Int
    package var sizeAfter: Int

    package func writeFields(to json: inout JSONWriter) {
      json.field("exceptionBytes", exceptionBytes)
      json.field("exceptions", exceptions)
      json.field("largestError", largestError)
      json.field("psnr", psnr)
      json.field("sizeAfter", sizeAfter)
      json.field("sizeBefore", sizeBefore)
    }
  }

  package struct EmbeddedImage: JSONObject {
    package var role: String
    package var offset: Int
    package var length: Int
    package var width: Int?
    package var height: Int?
    package var disposition: String?

    package func writeFields(to json: inout JSONWriter) {
      json.field("disposition", disposition)
      json.field("height", height)
      json.field("length", length)
      json.field("offset", offset)
      json.field("role", role)
      json.field("width", width)
    }
  }

  /// Data that is registered to the pixels of the image.
  package struct RegisteredData: JSONObject {
    package var kind: String
    package var effect: String
    package var offset: Int

    package func writeFields(to json: inout JSONWriter) {
      json.field("effect", effect)
      json.field("kind", kind)
      json.field("offset", offset)
    }
  }

  /// What becomes of one kind of regions.
  package struct Region: JSONObject {
    package var kind: String
    package var disposition: String
    package var frame: String?
    package var evidence: String

    package func writeFields(to json: inout JSONWriter) {
      json.field("disposition", disposition)
      json.field("evidence", evidence)
      json.field("frame", frame)
      json.field("kind", kind)
    }
  }

  /// Data that a conversion could not carry over.
  package struct Loss: JSONObject {
    package var id: String
    package var text: String

    package init(id: String, text: String) {
      self.id = id
      self.text = text
    }

    package func writeFields(to json: inout JSONWriter) {
      json.field("id", id)
      json.field("text", text)
    }
  }

  /// What an audit finds besides the plan.
  package struct Facts: JSONObject {
    package var size: Int
    package var format: String
    package var formatOrientation: Int?
    package var orientationsAgree: Bool?
    package var exifOrientation: Int64?
    package var xmpOrientation: Int64?
    package var trimming: TrimmedEdges?
    package var conflicts: [Evidence]?
    package var camera: String?
    package var captured: String?
    package var gps: Bool
    package var thumbnail: Bool
    package var thumbnailTransform: String?
    package var gainMap: Bool
    package var motionPhoto: Bool
    package var trailingBytes: Int?
    package var contentCredentials: Bool
    package var regions: Bool
    package var subjectArea: Bool
    package var undoData: Bool

    init(_ facts: Upright.Facts) {
      size = facts.size
      format = facts.format
      formatOrientation = facts.formatOrientation?.rawValue
      orientationsAgree = facts.orientationsAgree
      exifOrientation = facts.exifOrientation
      xmpOrientation = facts.xmpOrientation
      trimming = facts.trimming
      conflicts = facts.conflicts.isEmpty ? nil : facts.conflicts.map(Evidence.init)
      camera = facts.camera
      captured = facts.captured
      gps = facts.hasPosition
      thumbnail = facts.embeddedImages.contains { $0.role == .thumbnail }
      thumbnailTransform = facts.thumbnailTransform?.rawValue
      gainMap = facts.hasGainMap
      motionPhoto = facts.isMotionPhoto
      trailingBytes = facts.trailingBytes
      contentCredentials = facts.hasContentCredentials
      regions = facts.hasRegions
      subjectArea = facts.hasSubjectArea
      undoData = facts.hasUndoData
    }

    package func writeFields(to json: inout JSONWriter) {
      json.field("camera", camera)
      json.field("captured", captured)
      json.field("conflicts", conflicts)
      json.field("contentCredentials", contentCredentials)
      json.field("exifOrientation", exifOrientation)
      json.field("format", format)
      json.field("formatOrientation", formatOrientation)
      json.field("gainMap", gainMap)
      json.field("gps", gps)
      json.field("motionPhoto", motionPhoto)
      json.field("orientationsAgree", orientationsAgree)
      json.field("regions", regions)
      json.field("size", size)
      json.field("subjectArea", subjectArea)
      json.field("thumbnail", thumbnail)
      json.field("thumbnailTransform", thumbnailTransform)
      json.field("trailingBytes", trailingBytes)
      json.field("trimming", trimming)
      json.field("undoData", undoData)
      json.field("xmpOrientation", xmpOrientation)
    }
  }

  package var schema = Self.schema
  package var path: String
  /// The bytes of the path in hexadecimal, if they are not UTF-8.
  package var pathBytes: String?
  /// The path of the result, if it is not `path`.
  public var output: String?
  package var status: String
  package var transform: String?
  package var displayTransform: String?
  package var edges: String?
  package var trimmed: TrimmedEdges?
  package var crop: Crop?
  package var keptComponents: [Int]?
  package var redraw: Redraw?
  package var reason: Reason?
  package var error: Reason?
  /// The name that the file should have, if its ending is that of another format.
  package var expectedName: String?
  /// The names of the images and videos next to the file whose names differ in their endings only.
  package var pairedWith: [String]?
  package var width: Int?
  package var height: Int?
  package var sampling: String?
  package var coding: String?
  package var contradictions: [Evidence]?
  package var orientation: Int?
  package var size: Int?
  package var sha256: String?
  package var embeddedImages: [EmbeddedImage]?
  package var registeredData: [RegisteredData]?
  package var regions: [Region]?
  package var changes: [JSONChange]?
  package var notes: [String]?
  package var verification: String?
  /// Whether the original can be restored from the result with its undo record.
  package var restorable: Bool?
  package var sidecar: String?
  package var facts: Facts?
  package var warnings: [String]?
  package var quality: Int?
  package var losses: [Loss]?

  /// Creates a report with only the path and the status.
  package init(path: String, status: Status) {
    self.path = path
    self.status = status.rawValue
  }

  /// Creates the report of a planned file, as in an audit.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - plan: The plan.
  ///   - facts: The facts about the file, if they were collected.
  public init(path: String, planned plan: Plan, facts: Upright.Facts? = nil) {
    self.init(path: path, status: Status(plan, isDone: false))
    describe(plan, isDone: false, facts)
  }

  /// Creates the report of a processed file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - outcome: The outcome.
  public init(path: String, done outcome: Outcome) {
    self.init(path: path, status: Status(outcome.plan, isDone: true))
    describe(outcome.plan, isDone: true, nil)
    guard case .rewritten(let rewrite) = outcome else { return }
    describe(rewrite)
  }

  /// Creates the report of a file that could not be processed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - error: The error.
  public init(path: String, failed error: UprightError) {
    self.init(path: path, status: .failed)
    self.error = Reason(
      id: error.code.rawValue,
      text: error.description,
      offset: error.offset,
      remedies: error.remedies
    )
  }

  private mutating func describe(_ plan: Plan, isDone: Bool, _ facts: Upright.Facts?) {
    self.facts = facts.map(Facts.init)
    width = plan.image.width
    height = plan.image.height
    // Empty for formats other than JPEG.
    if !plan.image.sampling.isEmpty { sampling = plan.image.sampling }
    if !plan.image.coding.isEmpty { coding = plan.image.coding }
    orientation = plan.image.orientation?.rawValue
    let embedded = facts?.embeddedImages ?? plan.embeddedImages
    if !embedded.isEmpty {
      embeddedImages = embedded.map {
        EmbeddedImage(
          role: $0.role.rawValue,
          offset: $0.range.lowerBound,
          length: $0.range.count,
          width: $0.width,
          height: $0.height,
          disposition: isDone && plan.action.rewrites ? $0.disposition.rawValue : nil
        )
      }
    }
    if !plan.registeredData.isEmpty {
      registeredData = plan.registeredData.map {
        RegisteredData(kind: $0.kind, effect: $0.effect.rawValue, offset: $0.offset)
      }
    }
    if !plan.regions.isEmpty {
      regions = plan.regions.map {
        Region(
          kind: $0.kind.rawValue,
          disposition: $0.disposition.rawValue,
          frame: $0.frame?.rawValue,
          evidence: $0.evidence.rawValue
        )
      }
    }
    if !plan.notes.isEmpty { notes = plan.notes.map { $0.text } }
    if !plan.contradictions.isEmpty { contradictions = plan.contradictions.map(Evidence.init) }
    switch plan.action {
    case .unchanged(let why), .skip(let why), .resetTag(let why):
      reason = Reason(why)
    case .changeTag: break
    case .transform(let transform, let edges):
      self.transform = transform.rawValue
      crop = plan.crop.map { Crop(requested: .init($0.requested), result: .init($0.result)) }
      let displayed = plan.image.displayed(transform)
      if displayed != .none { displayTransform = displayed.rawValue }
      switch edges {
      case .lossless: self.edges = "lossless"
      case .reencoded(let kept, _):
        self.edges = "re-encoded"
        keptComponents = kept
      case .trimmed(let trimmed):
        self.edges = "trimmed"
        self.trimmed = trimmed
      }
    }
    list(plan.changes)
  }

  private mutating func describe(_ rewrite: Rewrite) {
    list(rewrite.changes)
    size = rewrite.bytes.count
    verification = rewrite.verification.rawValue
    restorable = rewrite.undo != nil
    redraw = rewrite.redraw.map {
      Redraw(
        psnr: Hundredths($0.psnr),
        largestError: $0.largestError,
        exceptions: $0.exceptions,
        exceptionBytes: $0.exceptionBytes,
        sizeBefore: $0.sizeBefore,
        sizeAfter: $0.sizeAfter
      )
    }
  }

  /// Lists changes, if there are any.
  package mutating func list(_ changes: [Change]) {
    guard !changes.isEmpty else { return }
    self.changes = changes.map(JSONChange.init)
  }
}

extension JSONReport: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    json.field("changes", changes)
    json.field("coding", coding)
    json.field("contradictions", contradictions)
    json.field("crop", crop)
    json.field("displayTransform", displayTransform)
    json.field("edges", edges)
    json.field("embeddedImages", embeddedImages)
    json.field("error", error)
    json.field("expectedName", expectedName)
    json.field("facts", facts)
    json.field("height", height)
    json.field("keptComponents", keptComponents)
    json.field("losses", losses)
    json.field("notes", notes)
    json.field("orientation", orientation)
    json.field("output", output)
    json.field("pairedWith", pairedWith)
    json.field("path", path)
    json.field("pathBytes", pathBytes)
    json.field("quality", quality)
    json.field("reason", reason)
    json.field("redraw", redraw)
    json.field("regions", regions)
    json.field("registeredData", registeredData)
    json.field("restorable", restorable)
    json.field("sampling", sampling)
    json.field("schema", schema)
    json.field("sha256", sha256)
    json.field("sidecar", sidecar)
    json.field("size", size)
    json.field("status", status)
    json.field("transform", transform)
    json.field("trimmed", trimmed)
    json.field("verification", verification)
    json.field("warnings", warnings)
    json.field("width", width)
  }
}

extension TrimmedEdges: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    json.field("columns", columns)
    json.field("rows", rows)
  }
}
