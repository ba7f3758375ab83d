internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import Upright
internal import Verification

/// The result of comparing a pair of files, for every format.
struct VerificationReport: Sendable {
  enum Outcome: Sendable {
    case compared(Verdict)
    /// A file cannot be read.
    case unreadable(UprightError)
    /// The files were not compared; the word says why.
    case status(VerificationStatus)
    /// A record restores the identical original from the result; what else is known about the result.
    case restored(String)
    /// The file could not be checked, for a reason.
    case unchecked(String)
  }

  var original: FilePath
  var result: FilePath
  var outcome: Outcome

  /// The exit status: 0 proven, partly proven or identical, 1 not proven, 2 unreadable.
  var exitStatus: Int32 {
    switch outcome {
    case .compared(let verdict): verdict.conclusion == .notProven ? 1 : 0
    case .restored, .status(.untouched): 0
    case .status, .unchecked: 1
    case .unreadable: 2
    }
  }

  /// The outcome as one word.
  var status: VerificationStatus {
    switch outcome {
    case .compared(let verdict): VerificationStatus(verdict.detail)
    case .unreadable: .unreadable
    case .status(let status): status
    case .restored: .restorable
    case .unchecked: .notChecked
    }
  }

  /// The color of the outcome.
  private var tone: Palette.Tone? {
    status == .untouched ? nil : [.success, .finding, .failure][Int(exitStatus)]
  }

  /// Returns the lines of text.
  ///
  /// - Returns: A line for the pair, and lines for the findings.
  func lines(verbose: Bool, _ palette: Palette) -> [String] {
    func line(_ text: String) -> String {
      "\(TextFormat.path(original)) → \(TextFormat.path(result)): \(palette.marked(text, tone))"
    }
    switch outcome {
    case .status(.missingFile): return [line("the result is missing")]
    case .status(.extraFile): return [line("the original is missing")]
    case .restored(let text):
      return [line("proven: the record restores the identical original (\(text))")]
    case .unchecked(let reason): return [line("not checked: \(TextFormat.escaped(reason))")]
    case .status(.changedSince):
      return [line("the file was changed after it was recorded, or is a different file")]
    case .status(.noRecord): return [line("no record restores the original of this file")]
    case .status(.untouched):
      return [line("not rewritten: the record has no entry for this file")]
    case .status(let status): return [line(status.rawValue)]
    case .unreadable(let error): return [line("\(error)")]
    case .compared(let verdict):
      var lines = [line(TextFormat.escaped(verdict.description))]
      for finding in verdict.findings {
        lines.append(
          "  \(finding.code.rawValue): \(TextFormat.escaped(finding.text))\(Self.place(finding))"
        )
      }
      guard verbose else { return lines }
      for note in verdict.notes {
        lines.append("  note: \(TextFormat.escaped(note.text))\(Self.place(note))")
      }
      if !verdict.unread.isEmpty {
        let texts = verdict.unread.map { TextFormat.escaped($0.text) }
        lines.append("  not looked at: " + texts.joined(separator: "; "))
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
          (TextFormat.right("\(difference.original.lowerBound)", 12)
            + TextFormat.right("\(difference.result.lowerBound)", 10) + TextFormat.right(size, 10)
            + "  "
            + (values.isEmpty
              ? difference.field.rawValue
              : TextFormat.column(difference.field.rawValue, 48) + TextFormat.escaped(values)))
        )
      }
      return lines
    }
  }

  private static func place(_ finding: Verdict.Finding) -> String {
    switch (finding.originalOffset, finding.resultOffset) {
    case (let old?, let new?): " (byte \(old) of the original, \(new) of the result)"
    case (let old?, nil): " (byte \(old) of the original)"
    case (nil, let new?): " (byte \(new) of the result)"
    case (nil, nil): ""
    }
  }
}
