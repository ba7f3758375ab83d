public import Upright
public import Verification

/// The result of comparing two files as a JSON object; `docs/output.md` documents it.
///
/// `JSONVerification+Fields.swift` lists the fields and where their values come from.
public struct JSONVerification {
  /// The version of the schema; it changes when a field is removed or changes its meaning.
  package static let schema = "upright-verify/2"

  /// Why a pair could not be compared.
  struct Failure {
    var error: UprightError
  }

  var original: String
  var result: String
  package private(set) var status: VerificationStatus
  /// Why the pair was not compared.
  private(set) var text: String?
  package private(set) var verdict: Verdict?
  private(set) var error: Failure?

  /// Creates the report of a pair that was not compared.
  ///
  /// - Parameters:
  ///   - original: The original file.
  ///   - result: The result.
  ///   - status: The reason as one word.
  ///   - text: The reason as text, if the word does not say all.
  package init(
    original: String,
    result: String,
    status: VerificationStatus,
    text: String? = nil
  ) {
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
  ///   - error: The error, which names the file.
  public init(original: String, result: String, unreadable error: UprightError) {
    self.init(original: original, result: result, status: .unreadable)
    self.error = Failure(error: error)
  }

  /// Creates the report of a compared pair.
  ///
  /// - Parameters:
  ///   - original: The original file.
  ///   - result: The result.
  ///   - verdict: The verdict.
  public init(original: String, result: String, compared verdict: Verdict) {
    self.init(original: original, result: result, status: VerificationStatus(verdict.detail))
    self.verdict = verdict
  }

  /// The object on one line, without a line end: keys sorted, slashes not escaped.
  public var json: String { jsonLine }
}

/// The result of comparing two files as one word.
package enum VerificationStatus: String, Choice, Sendable {
  /// The result is the normalized original, lossless and complete.
  case proven
  /// The result is the normalized original, except for what images and notes name.
  case partlyProven = "partly-proven"
  /// Both files are the same, and upright.
  case alreadyUpright = "already-upright"
  /// Both files are the same.
  case identical
  /// There are findings.
  case notProven = "not-proven"
  /// A file cannot be read.
  case unreadable
  /// The result is missing.
  case missingFile = "missing-file"
  /// The original is missing.
  case extraFile = "extra-file"
  /// The record restores the identical original.
  case restorable
  /// The pair could not be compared.
  case notChecked = "not-checked"
  /// The file was changed after its rewrite.
  case changedSince = "changed-since"
  /// A named file has no record.
  case noRecord = "no-record"
  /// The record has nothing on the file.
  case untouched

  /// Returns the status of a compared pair.
  package init(_ detail: Verdict.Detail) {
    switch detail {
    case .lossless: self = .proven
    case .reencoded, .trimmed, .misregistered, .incomplete: self = .partlyProven
    case .alreadyUpright: self = .alreadyUpright
    case .identical: self = .identical
    case .notProven: self = .notProven
    }
  }
}
