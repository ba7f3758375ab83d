internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import Records
internal import Reports
internal import Upright

/// The sentences on the files beside a photo.
extension FileReport {
  /// What is said of the companions to a person, of those whose state is worth a sentence.
  var companionTexts: [String] {
    companions.filter { !$0.isNeighbour }.compactMap { $0.text(in: self) }
  }

  /// What is said of the files of other programs.
  var neighbourTexts: [String] {
    companions.filter(\.isNeighbour).compactMap { $0.text(in: self) }
  }

  /// What is said of sidecars that programs obey, not the file.
  var obeyedSidecarTexts: [String] {
    companions.filter { $0.cause == .obeyed }.compactMap { $0.text(in: self) }
  }

  /// The sentences as one text; nil if there is none.
  var companionText: String? {
    let texts = companionTexts
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// Whether sidecars describe the image as it is stored, and it would be transformed.
  var hasSidecars: Bool {
    let isDescribed = companions.contains { companion in
      [.sidecar, .worldFile].contains(companion.kind)
        && ![.ofAnother, .unreadable, .format].contains(companion.cause)
    }
    return isDescribed && sharedPlan?.value.action.rewrites == true
  }
}

extension CompanionResult {
  /// Whether it is a file of another program, which notes mention.
  var isNeighbour: Bool { cause == .mayBeOutdated || cause == .sameShot }

  private var subject: String {
    // A world file is one of the sidecars, unless it alone is meant.
    let noun = kind == .worldFile && action != .leave ? "sidecar" : name
    return "the \(noun) \(path.escaped)"
  }

  /// Returns what becomes, or became, of the file; nil if that is not worth a sentence.
  fileprivate func text(in report: FileReport) -> String? {
    if action == .leave { return textOfKept(in: report) }
    if let error {
      // The rest is done later, and is not lost.
      let what = error.code == UprightError.Code(.outcomeUnknown)
      let (done, next) =
        action == .restore
        ? ("restored", "the next undo") : ("updated", "the next run with --sidecars update")
      return "\(subject) \(what ? "may not be" : "was not") \(done) (\(next) completes it): "
        + error.text
    }
    // The photo failed, and with it the whole.
    if !isDone, report.status == .failed || report.status == .interrupted { return nil }
    if let output, isDone {
      switch action {
      case .update, .reset: return "updated sidecar: \(output.escaped)"
      case .restore: return "restored sidecar: \(output.escaped)"
      case .copy, .complete, .leave: return nil
      }
    }
    switch action {
    case .update:
      return "\(subject) \(isDone ? "was" : "will be") updated" + details(isFormer: isDone)
    case .reset:
      // Beside the properties of HEIF, 1 contradicts nothing.
      let image = report.plan?.image
      let value = image?.format == .jpeg ? image?.orientation?.rawValue ?? 1 : 1
      return "the Orientation of \(subject) \(isDone ? "was" : "will be") set to \(value)"
    case .complete:
      return "\(subject) \(isDone ? "was" : "will be") updated, to complete an interrupted run"
    case .restore: return "\(subject) \(isDone ? "was" : "can be") restored"
    case .copy, .leave: return nil
    }
  }

  /// Returns the Orientation in it, or that it had, if it differs, and what it keeps.
  private func details(isFormer: Bool = false) -> String {
    (orientation.map { "; its Orientation \(isFormer ? "was" : "is") \($0)" } ?? "")
      + notes.map { "; \($0.text)" }.joined()
  }

  private func textOfKept(in report: FileReport) -> String? {
    let text: String
    switch cause {
    case .outdated where kind == .worldFile: text = "\(subject) is that of the stored image"
    case .outdated:
      text =
        "\(subject) describes the image as it "
        + (report.isDone ? "was stored before" : "is stored") + details()
    case .mayBeOutdated: text = "\(subject) may describe the image as it was stored"
    case .sameShot: text = "\(subject) is not changed"
    case .ofAnother:
      guard report.plan?.action.rewrites == true, let owner else { return nil }
      return "\(path.escaped) \(owner.text), and is not changed"
    case .unreadable: text = error?.text ?? "\(subject) cannot be read"
    case .kept: text = "\(subject) is not changed" + details()
    case .format:
      let file = report.format.map { "a \($0.name) file" } ?? "this file"
      text = "\(subject) is not changed with \(file)"
    case .obeyed:
      let own = report.plan?.image.orientation?.rawValue ?? 1
      text =
        "\(subject) has Orientation \(orientation ?? 1), the file \(own):"
        + " programs that read the sidecar obey it"
    case .changedSince: text = "\(subject) was not restored: it was changed since"
    case .missing: text = "\(subject) was not restored: there is no such file"
    case .ofResult: text = "\(subject) does not fit the restored photo" + details()
    case .mayBeOfResult: text = "\(subject) may not fit the restored photo"
    case .fits, .photoUnchanged, nil: return nil
    }
    let shared = owner.map { "\(text); it \($0.text)" } ?? text
    return Advice.completed(shared, advice(report.isDone), of: report.adviceSubject)
  }

  /// What helps; of a photo in place, what is still possible.
  private func advice(_ isDone: Bool) -> [Remedy] {
    guard isDone, cause == .outdated, kind == .sidecar else { return remedies }
    return remedies.isEmpty ? [] : [Remedy(.action(.resetSidecar), "reset its Orientation")]
  }
}
