internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// One line of NDJSON for a pair of files, documented in `docs/output.md`.
struct JSONVerification: Encodable {
  struct Finding: Encodable {
    var id: String
    var text: String
    var originalOffset: Int?
    var resultOffset: Int?

    init(_ finding: Verdict.Finding) {
      id = finding.identifier
      text = finding.text
      originalOffset = finding.originalOffset
      resultOffset = finding.resultOffset
    }
  }

  struct Difference: Encodable {
    var field: String
    var originalOffset: Int
    var resultOffset: Int
    var originalLength: Int
    var resultLength: Int
    var old: String?
    var new: String?
  }

  struct Component: Encodable {
    var exact: Bool
    var psnr: Double?
    var largestError: Int
  }

  struct Picture: Encodable {
    var role: String
    var relation: String
    var turn: String
    var originalOffset: Int
    var resultOffset: Int
    var coefficients: Int
    var components: [Component]?
  }

  struct Failure: Encodable {
    var id: String
    var text: String
    var file: String?
  }

  var schema = "upright-verify/1"
  var original: String
  var result: String
  var status: String
  var turn: String?
  var pictures: [Picture]?
  var differences: [Difference]?
  var findings: [Finding]?
  var notes: [Finding]?
  var error: Failure?

  init(_ report: VerificationReport) {
    original = report.original.string
    result = report.result.string
    status = report.status
    switch report.outcome {
    case .missing, .extra, .unrecorded, .untouched: break
    case .unreadable(let file, let failure):
      error = Failure(id: failure.identifier, text: failure.message, file: file?.rawValue)
    case .compared(let verdict):
      turn = verdict.turn.rawValue
      pictures = verdict.pictures.map { picture in
        Picture(
          role: picture.role?.rawValue ?? "primary",
          relation: picture.relation.rawValue,
          turn: picture.turn.rawValue,
          originalOffset: picture.original.lowerBound,
          resultOffset: picture.result.lowerBound,
          coefficients: picture.coefficients,
          components: picture.components.isEmpty
            ? nil
            : picture.components.map {
              Component(
                exact: $0.isExact,
                psnr: $0.psnr.isFinite ? ($0.psnr * 100).rounded() / 100 : nil,
                largestError: $0.largestError
              )
            }
        )
      }
      if !verdict.differences.isEmpty {
        differences = verdict.differences.map {
          Difference(
            field: $0.field,
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
}
