internal import JPEGCore
internal import Upright

/// The options that change what a reason, an error or a note reports.
///
/// Texts of the library name no options, because its other users have none. The command adds them here.
enum Advice {
  /// The advice for texts of one identifier that contain a phrase.
  private struct Entry: Sendable {
    let identifier: String
    let phrase: StaticString
    /// A phrase, or a sentence after a text of sentences; nil for none.
    let advice: String?

    init(_ identifier: String, _ phrase: StaticString, _ advice: String?) {
      (self.identifier, self.phrase, self.advice) = (identifier, phrase, advice)
    }

    init(_ identifier: String, _ advice: String) { self.init(identifier, "", advice) }
  }

  /// The identifier of the notes of a plan, which have none of their own.
  private static let note = "note"

  /// All advice; the first entry for a text holds.
  private static let entries = [
    Entry(
      "unaligned-edge",
      "would cut off",
      "--unaligned redraw re-encodes the affected components, trim cuts the edge off"
    ),
    Entry("write-protected", "the existing file", "To overwrite it, use --read-only rewrite."),
    Entry("write-protected", "--read-only rewrite replaces it anyway"),
    Entry("unaligned-edge", "its MCU size", "--unaligned redraw re-encodes it"),
    Entry(
      "conflict",
      "--on-conflict trust-tag rotates it anyway, reset-tag sets Orientation to 1"
    ),
    Entry(
      "orientations-disagree",
      "Exif gives 1: most readers of HE",
      "--on-conflict reset-tag sets it to 1"
    ),
    Entry(
      "orientations-disagree",
      "irot and imir give",
      "--on-conflict trust-tag changes irot and imir, reset-tag sets Orientation to 1"
    ),
    Entry(
      "orientations-disagree",
      "there is neither irot nor imir",
      "--on-conflict trust-tag inserts irot and imir, reset-tag sets Orientation to 1"
    ),
    Entry(
      "registered-data",
      "would no longer fit the image",
      "--registered-data keep transforms the image and keeps the data as it is"
    ),
    Entry(
      "content-credentials",
      "--content-credentials keep rewrites it anyway, strip also removes them"
    ),
    Entry("pixel-limit", "--max-pixels sets the limit"),
    Entry("scan-limit", "more than the limit", "--max-scans sets the limit"),
    Entry("memory-limit", "by default that of the machine; --memory sets another"),
    Entry("no-undo", "only a JPEG file", "--record keeps it in a file of its own"),
    Entry("no-undo", "--require-undo skips such files"),
    Entry("limit", " bytes, more than the limit", "--max-bytes"),
    Entry("not-jpeg", "a HEIF", "see upright convert"),
    Entry("not-jpeg", "an AVIF", "see upright convert"),
    Entry("is-directory", "cannot open", "Use -r to search directories."),
    Entry("is-directory", "the output", "To write into it, use --output-dir."),
    Entry("not-path", "If paths end with NUL, use -0."),
    Entry("hard-linked", "To replace it anyway, use --hard-links break."),
    Entry("exists", "the output", "To replace it, use --overwrite."),
    Entry("transformed-further", "--transform with this name expects that"),
    Entry(note, "differ and are kept", "--resolution follow swaps them"),
    Entry(note, "differ by axis and are kept", "--resolution follow swaps them"),
    Entry(note, "SubjectLocation in XMP", nil),
    Entry(note, "whether they describe the displayed image", "--regions follow transforms them"),
    Entry(note, "but they describe the image as it was stored", "--regions follow transforms them"),
  ]

  private static let byIdentifier = Dictionary(grouping: entries, by: \.identifier)

  /// Returns the advice for a text, or nil if there is none.
  private static func advice(_ identifier: String, _ text: String) -> String? {
    let bytes = text.utf8.span
    for entry in byIdentifier[identifier] ?? []
    where entry.phrase.utf8CodeUnitCount == 0
      || bytes.firstOffset(of: entry.phrase, in: bytes.indices) != nil
    {
      return entry.advice
    }
    return nil
  }

  /// Whether there is advice for some texts of an identifier.
  static func concerns(_ identifier: String) -> Bool { byIdentifier[identifier] != nil }

  /// Returns the text of an error or finding with its advice.
  static func completed(_ text: String, _ identifier: String = note) -> String {
    guard let advice = advice(identifier, text) else { return text }
    return advice.hasSuffix(".") ? "\(text) \(advice)" : "\(text) (\(advice))"
  }

  /// Returns the text of a note on a rewritten file, to which its options no longer apply, with its advice.
  static func completedAfterRewrite(_ text: String) -> String {
    advice(note, text).map { "\(text) (to change that: undo, then \($0))" } ?? text
  }

  /// Returns a reason with its advice.
  static func completed(_ reason: Reason) -> Reason {
    guard let advice = advice(reason.code.rawValue, reason.cause) else { return reason }
    var reason = reason
    reason.advice = advice
    return reason
  }
}

extension FileReport {
  /// Whether the report has a reason, an error or notes that options may change.
  ///
  /// Most reports of an audit have none, and need no copy.
  var mayNeedAdvice: Bool {
    switch result {
    case .planned(let plan): plan.mayNeedAdvice
    case .failed(let failure): Advice.concerns(failure.identifier)
    case .done: true
    case .undo, .conversion, .interrupted: false
    }
  }

  /// Returns the report with the options that change what it reports.
  ///
  /// - Parameter isWritten: Whether a rewritten file is in place, so that its options come too late.
  /// - Returns: The report with the advice.
  func advised(isWritten: Bool = true) -> FileReport {
    var report = self
    switch result {
    case .planned(let plan): report.result = .planned(plan.advised)
    case .done(.unchanged(let plan)): report.result = .done(.unchanged(plan.advised))
    case .done(.rewritten(var rewrite)):
      rewrite.plan = isWritten ? rewrite.plan.advisedAfterRewrite : rewrite.plan.advised
      report.result = .done(.rewritten(rewrite))
    case .failed(let failure): report.result = .failed(failure.advised)
    case .undo, .conversion, .interrupted: break
    }
    return report
  }
}

extension FileReport.Failure {
  /// The failure with the options that prevent it.
  var advised: FileReport.Failure {
    var failure = self
    failure.message = Advice.completed(message, identifier)
    return failure
  }
}

extension Plan {
  /// Whether the plan has a reason or notes that options may change.
  fileprivate var mayNeedAdvice: Bool {
    switch action {
    case .skip(let reason), .resetTag(let reason):
      !notes.isEmpty || Advice.concerns(reason.code.rawValue)
    case .unchanged, .transform, .changeTag: !notes.isEmpty
    }
  }

  /// The plan with the options that change it.
  var advised: Plan {
    var plan = self
    switch action {
    case .skip(let reason): plan.action = .skip(Advice.completed(reason))
    case .resetTag(let reason): plan.action = .resetTag(Advice.completed(reason))
    case .unchanged, .transform, .changeTag: break
    }
    if !notes.isEmpty { plan.notes = notes.map { Advice.completed($0) } }
    return plan
  }

  /// The plan of a rewritten file with the options that would have changed it.
  fileprivate var advisedAfterRewrite: Plan {
    var plan = advised
    plan.notes = notes.map { Advice.completedAfterRewrite($0) }
    return plan
  }
}

extension Verdict {
  /// The verdict with the options that change what is reported.
  var advised: Verdict {
    var verdict = self
    for index in notes.indices {
      verdict.notes[index].text = Advice.completed(notes[index].text, notes[index].identifier)
    }
    return verdict
  }
}
