internal import ImageOrientation
public import Upright

/// The result of comparing two files as a JSON object; `docs/output.md` documents it.
public struct JSONVerification {
  struct Finding: JSONObject {
    var id: String
    var text: String
    var originalOffset: Int?
    var resultOffset: Int?
    var remedies: [JSONRemedy]?

    init(_ finding: Verdict.Finding) {
      remedies = JSONRemedy.list(finding.remedies)
      id = finding.identifier
      text = finding.text
      originalOffset = finding.originalOffset
      resultOffset = finding.resultOffset
    }

    package func writeFields(to json: inout JSONWriter) {
      json.field("id", id)
      json.field("originalOffset", originalOffset)
      json.field("remedies", remedies)
      json.field("resultOffset", resultOffset)
      json.field("text", text)
    }
  }

  struct Difference: JSONObject {
    var field: String
    var originalOffset: Int
    var resultOffset: Int
    var originalLength: Int
    var resultLength: Int
    var old: String?
    var new: String?

    package func writeFields(to json: inout JSONWriter) {
      json.field("field", field)
      json.field("new", new)
      json.field("old", old)
      json.field("originalLength", originalLength)
      json.field("originalOffset", originalOffset)
      json.field("resultLength", resultLength)
      json.field("resultOffset", resultOffset)
    }
  }

  struct Component: JSONObject {
    var lossless: Bool
    var psnr: Hundredths?
    var largestError: Int

    package func writeFields(to json: inout JSONWriter) {
      json.field("largestError", largestError)
      json.field("lossless", lossless)
      json.field("psnr", psnr)
    }
  }

  struct Image: JSONObject {
    var role: String
    var relation: String
    var transform: String
    var originalOffset: Int
    var resultOffset: Int
    var coefficients: Int
    var components: [Component]?

    package func writeFields(to json: inout JSONWriter) {
      json.field("coefficients", coefficients)
      json.field("components", components)
      json.field("originalOffset", originalOffset)
      json.field("relation", relation)
      json.field("resultOffset", resultOffset)
      json.field("role", role)
      json.field("transform", transform)
    }
  }

  /// Why a pair could not be compared.
  package struct Failure: JSONObject {
    var id: String
    var text: String
    var file: String?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - id: The identifier of the error.
    ///   - text: The error as text.
    ///   - file: The file that it is about, if it is one of the two.
    package init(id: String, text: String, file: Verifier.File?) {
      self.id = id
      self.text = text
      self.file = file?.rawValue
    }

    package func writeFields(to json: inout JSONWriter) {
      json.field("file", file)
      json.field("id", id)
      json.field("text", text)
    }
  }

  var schema = "upright-verify/2"
  var original: String
  var result: String
  package var status: String
  /// Why the pair was not compared.
  var text: String?
  package var transform: String?
  var images: [Image]?
  var differences: [Difference]?
  var findings: [Finding]?
  var notes: [Finding]?
  var error: Failure?

  /// Creates the report of a pair that was not compared.
  ///
  /// - Parameters:
  ///   - original: The original file.
  ///   - result: The result.
  ///   - status: The reason as one word.
  ///   - text: The reason as text, if the word does not say all.
  package init(original: String, result: String, status: String, text: String? = nil) {
    self.original = original
    self.result = result
    self.status = status
    self.text = text
  }

  /// Creates the report of a pair in which one file cannot be read.
  ///
  /// - Parameters:
  ///   - original: The original file.
  ///   - result: The result.
  ///   - error: The error.
  package init(original: String, result: String, unreadable error: Failure) {
    self.init(original: original, result: result, status: "unreadable")
    self.error = error
  }

  /// Creates the report of a compared pair.
  ///
  /// - Parameters:
  ///   - original: The original file.
  ///   - result: The result.
  ///   - verdict: The verdict.
  public init(original: String, result: String, compared verdict: Verdict) {
    self.init(original: original, result: result, status: verdict.conclusion.status)
    transform = verdict.transform.rawValue
    images = verdict.images.map { image in
      Image(
        role: image.role?.rawValue ?? "primary",
        relation: image.relation.rawValue,
        transform: image.transform.rawValue,
        originalOffset: image.original.lowerBound,
        resultOffset: image.result.lowerBound,
        coefficients: image.coefficients,
        components: image.components.isEmpty
          ? nil
          : image.components.map {
            Component(
              lossless: $0.isLossless,
              psnr: Hundredths($0.psnr),
              largestError: $0.largestError
            )
          }
      )
    }
    if !verdict.differences.isEmpty {
      differences = verdict.differences.map {
        Difference(
          field: $0.field.rawValue,
          originalOffset: $0.original.lowerBound,
          resultOffset: $0.result.lowerBound,
          originalLength: $0.original.count,
          resultLength: $0.result.count,
          old: $0.old.isEmpty ? nil : $0.old,
          new: $0.new.isEmpty ? nil : $0.new
        )
      }
    }
    if !verdict.findings.isEmpty { findings = verdict.findings.map(Finding.init) }
    if !verdict.notes.isEmpty { notes = verdict.notes.map(Finding.init) }
  }
}

extension Verdict.Conclusion {
  /// The status of a pair with this conclusion.
  package var status: String {
    switch self {
    case .lossless: "proven"
    case .reencoded, .trimmed, .misregistered: "verified"
    case .alreadyUpright, .identical, .notProven: rawValue
    }
  }
}

extension JSONVerification: JSONObject {
  package func writeFields(to json: inout JSONWriter) {
    json.field("differences", differences)
    json.field("error", error)
    json.field("findings", findings)
    json.field("images", images)
    json.field("notes", notes)
    json.field("original", original)
    json.field("result", result)
    json.field("schema", schema)
    json.field("status", status)
    json.field("text", text)
    json.field("transform", transform)
  }
}
