internal import FoundationEssentials
internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// What there is to say of a pair of files, whatever the format.
struct VerificationReport {
  enum Outcome {
    case compared(Verdict)
    /// One of the two cannot be read; nil where that is the file system's doing.
    case unreadable(Verifier.File?, FileReport.Failure)
    /// There is no result.
    case missing
    /// There is no original.
    case extra
    /// No record leads back to an original.
    case unrecorded
  }

  var original: FilePath
  var result: FilePath
  var outcome: Outcome

  /// 0 proven, 1 not, 2 unreadable.
  var exitStatus: Int32 {
    switch outcome {
    case .compared(let verdict): verdict.isProven ? 0 : 1
    case .missing, .extra, .unrecorded: 1
    case .unreadable: 2
    }
  }

  /// The one word for the outcome.
  var status: String {
    switch outcome {
    case .compared(let verdict): verdict.isProven ? "proven" : "not-proven"
    case .unreadable: "unreadable"
    case .missing: "missing-file"
    case .extra: "extra-file"
    case .unrecorded: "no-record"
    }
  }

  /// The lines for people.
  ///
  /// - Parameter verbose: Whether to list every field that differs as it should.
  /// - Returns: The first for the pair, the others for what was found.
  func lines(verbose: Bool) -> [String] {
    let pair = "\(TextFormat.path(original)) → \(TextFormat.path(result))"
    switch outcome {
    case .missing: return ["\(pair): the result is missing"]
    case .extra: return ["\(pair): there is no original"]
    case .unrecorded: return ["\(pair): no record gives back an original of this file"]
    case .unreadable(let file, let failure):
      let which = file.map { "the \($0.rawValue) cannot be read: " } ?? ""
      return ["\(pair): \(which)\(failure.message)"]
    case .compared(let verdict):
      var lines = ["\(pair): \(Self.summary(verdict))"]
      for finding in verdict.findings {
        lines.append(
          "  \(finding.identifier): \(TextFormat.escaped(finding.text))\(Self.place(finding))"
        )
      }
      guard verbose else { return lines }
      for note in verdict.notes {
        lines.append("  note: \(TextFormat.escaped(note.text))\(Self.place(note))")
      }
      if !verdict.differences.isEmpty {
        lines.append("    ORIGINAL    RESULT     BYTES  FIELD")
      }
      for difference in verdict.differences {
        let counts = (difference.original.count, difference.result.count)
        let size = counts.0 == counts.1 ? "\(counts.0)" : "\(counts.0)→\(counts.1)"
        let values =
          difference.old.isEmpty
          ? difference.new : "\(difference.old) → \(difference.new)"
        lines.append(
          (Self.right("\(difference.original.lowerBound)", 12)
            + Self.right("\(difference.result.lowerBound)", 10) + Self.right(size, 10) + "  "
            + (values.isEmpty
              ? difference.field
              : TextFormat.column(difference.field, 48) + TextFormat.escaped(values)))
        )
      }
      return lines
    }
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  private static func place(_ finding: Verdict.Finding) -> String {
    switch (finding.originalOffset, finding.resultOffset) {
    case (let old?, let new?): " (byte \(old) of the original, \(new) of the result)"
    case (let old?, nil): " (byte \(old) of the original)"
    case (nil, let new?): " (byte \(new) of the result)"
    case (nil, nil): ""
    }
  }

  private static func summary(_ verdict: Verdict) -> String {
    guard verdict.isProven else {
      let count = verdict.findings.count
      return "not proven, \(count) finding\(count == 1 ? "" : "s")"
    }
    let others = verdict.pictures.dropFirst().compactMap { picture in
      picture.role.map { "\($0.rawValue) \(picture.relation.rawValue)" }
    }
    let rest = others.isEmpty ? "" : "; " + others.joined(separator: ", ")
    guard let picture = verdict.pictures.first else { return "proven" }
    switch picture.relation {
    case .identical: return "proven: the same bytes, and upright"
    case .exact:
      return "proven: \(verdict.turn), all \(picture.coefficients) coefficients are the same" + rest
    default: return "proven: \(verdict.turn), \(picture.relation.rawValue)" + rest
    }
  }
}

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
    case .missing, .extra, .unrecorded: break
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
