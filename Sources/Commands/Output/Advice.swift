internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright
internal import Verification

/// The options that carry out remedies.
///
/// Texts of the library name no options, because its other users have none. The command adds them here.
enum Advice {
  /// What the commands in a piece of advice name.
  struct Subject {
    /// The path of the file; nil if it is not known.
    var path: FilePath?
    /// The Orientation to set; nil if only a person knows it.
    var orientation: Int?
    /// The photo's Orientation, if a sidecar contradicts it and is to get it; nil if that is 1.
    var own: Int?
    /// The options of the run that keep the originals, quoted for a shell.
    var keeping: [String] = []

    /// The path, quoted for a shell; made only where there is advice, which few files need.
    var file: String {
      guard let text = path.map(TextFormat.path) else { return "FILE" }
      return TextFormat.quoted(text.hasPrefix("-") ? "./\(text)" : text)
    }
  }

  /// Returns what to do as a text, as in `to cut the edge off: --unaligned trim`; nil if there is nothing.
  ///
  /// Options come too late if a rewritten file is in place: `first` is what must be done before.
  static func text(
    _ remedies: [Remedy],
    of subject: Subject = Subject(),
    first: String = ""
  ) -> String? {
    guard !remedies.isEmpty else { return nil }
    return remedies.map { remedy in
      guard let option = option(remedy.step, subject) else { return remedy.text }
      let purpose = purpose(of: remedy)
      return "to \(purpose): \(first)\(option)"
    }.joined(separator: "; ")
  }

  private static func purpose(of remedy: Remedy) -> String {
    switch remedy.step {
    case .limit("memory"): "raise the limit, by default the memory of the machine"
    case .limit: "raise the limit"
    case .action(.convert): "convert it to JPEG"
    case .policy, .action: remedy.text
    }
  }

  /// Returns the option of the command that does a step, or another command; nil if none does.
  private static func option(_ step: Remedy.Step, _ subject: Subject) -> String? {
    switch step {
    // A flag.
    case .policy(let name, "true"): "--\(name)"
    case .policy(let name, "false"): "leave out --\(name)"
    case .policy(let name, let value): "--\(name) \(value)"
    case .limit(let name): "--\(name)"
    case .action(let action): options[action] ?? command(action, subject)
    }
  }

  private static let options: [Remedy.Action: String] = [
    .record: "--record", .searchDirectories: "-r",
    .nameMovedFile: "upright undo --record RECORD FILE, or -r FOLDER", .undoLast: "--last",
    .writeToDirectory: "--output-dir", .readNULPaths: "-0", .overwrite: "--overwrite",
  ]

  /// Returns the whole command that does something with a file; nil if none does.
  private static func command(_ action: Remedy.Action, _ subject: Subject) -> String? {
    func command(_ words: String...) -> String {
      (["upright"] + words + subject.keeping + [subject.file]).joined(separator: " ")
    }
    func normalization(after orientation: Int) -> String {
      command("tag set \(orientation)") + " && " + command("normalize")
    }
    switch action {
    case .convert: return "upright convert \(subject.file)"
    case .correctOrientation:
      return subject.orientation.map(normalization)
        ?? command("tag set N") + ", N from 1 to 8"
    case .resetSidecar:
      return subject.own.map(normalization)
        ?? command("normalize --sidecars update --on-conflict reset-tag")
    case .normalize: return command("normalize --on-conflict trust-tag") + ", or reset-tag"
    case .restoreFromRecord: return "upright undo --record RECORD \(subject.file)"
    default: return nil
    }
  }

  /// Returns the text of an error or finding with its advice, a sentence after sentences.
  static func completed(
    _ text: String,
    _ remedies: [Remedy],
    of subject: Subject = Subject()
  ) -> String {
    guard text.hasSuffix(".") else {
      return self.text(remedies, of: subject).map { "\(text) (\($0))" } ?? text
    }
    return remedies.reduce(into: text) { text, remedy in
      if let option = option(remedy.step, subject) {
        text += " To \(purpose(of: remedy)), use \(option)."
      }
    }
  }

  /// Returns a note with its advice.
  fileprivate static func completed(_ note: Note, of subject: Subject, first: String) -> Note {
    guard let advice = text(note.remedies, of: subject, first: first) else { return note }
    var note = note
    note.text += " (\(advice))"
    return note
  }

  /// Returns a reason with its advice.
  static func completed(_ reason: Reason, of subject: Subject = Subject()) -> Reason {
    var reason = reason
    reason.advice = text(reason.remedies, of: subject)
    return reason
  }
}

extension FileReport {
  /// Whether the report has a reason, an error or notes that options may change.
  ///
  /// Most reports of an audit have none, and need no copy.
  var mayNeedAdvice: Bool {
    switch result {
    case .planned(let plan): plan.value.mayNeedAdvice
    case .failed(let error): !error.remedies.isEmpty
    case .done: true
    case .undo(let undo): undo.reason?.remedies.isEmpty == false
    case .conversion, .interrupted: false
    }
  }

  /// Returns the report with the options that change what it reports, and those that keep the originals.
  func advised(isWritten: Bool = true, keeping: [String] = []) -> FileReport {
    var report = self
    var subject = adviceSubject
    subject.keeping = keeping
    let first = isWritten && rewrite != nil ? Tally.first(isCropped: plan?.isCropped == true) : ""
    report.plan = plan?.advised(of: subject, first: first)
    if case .failed(let error) = result { report.result = .failed(error.advised(of: subject)) }
    if case .undo(var undo) = result {
      undo.reason = undo.reason.map { Advice.completed($0, of: subject) }
      report.result = .undo(undo)
    }
    return report
  }
}

extension FileReport {
  /// What commands in advice on the file name.
  var adviceSubject: Advice.Subject {
    let orientation = contradictingOrientation
    let own = orientation == nil || format != .jpeg ? nil : plan?.image.orientation?.rawValue
    return Advice.Subject(path: path, orientation: orientation, own: own == 1 ? nil : own)
  }

  /// The Orientation in the sidecar because of which the photo is skipped; nil if that is not the reason.
  var contradictingOrientation: Int? {
    // Few files have such a companion.
    guard let orientation = companions.lazy.compactMap(\.orientation).first,
      reasonToSkip?.code == .sidecarConflict
    else { return nil }
    return orientation
  }

  /// The report without the remedies of its plan that are options of a command that plans.
  var withoutOptionRemedies: FileReport {
    var report = self
    report.plan = plan.map { plan in
      var plan = plan
      switch plan.action {
      case .skip(let reason): plan.action = .skip(reason.withoutOptionRemedies)
      case .resetTag(let reason): plan.action = .resetTag(reason.withoutOptionRemedies)
      case .unchanged, .transform, .changeTag: break
      }
      for index in plan.notes.indices { plan.notes[index].remedies.removeAll { $0.isOption } }
      return plan
    }
    return report
  }
}

extension Reason {
  fileprivate var withoutOptionRemedies: Reason {
    var reason = self
    reason.remedies.removeAll { $0.isOption }
    return reason
  }
}

extension Remedy {
  /// Whether it is another value of an option of the command that plans.
  fileprivate var isOption: Bool {
    switch step {
    case .policy, .limit: true
    case .action: false
    }
  }
}

extension UprightError {
  /// Returns the error with the options that prevent it.
  func advised(of subject: Advice.Subject = Advice.Subject()) -> UprightError {
    var error = self
    error.advice = String(Advice.completed(text, remedies, of: subject).dropFirst(text.count))
    return error
  }
}

extension Plan {
  /// Whether the plan has a reason or notes that options may change.
  fileprivate var mayNeedAdvice: Bool {
    switch action {
    case .skip(let reason), .resetTag(let reason):
      !reason.remedies.isEmpty || hasAdvisedNotes
    case .unchanged, .transform, .changeTag: hasAdvisedNotes
    }
  }

  private var hasAdvisedNotes: Bool { notes.contains { !$0.remedies.isEmpty } }

  /// Returns the plan with the options that change it.
  func advised(of subject: Advice.Subject = Advice.Subject(), first: String = "") -> Plan {
    var plan = self
    switch action {
    case .skip(let reason): plan.action = .skip(Advice.completed(reason, of: subject))
    case .resetTag(let reason): plan.action = .resetTag(Advice.completed(reason, of: subject))
    case .unchanged, .transform, .changeTag: break
    }
    for index in notes.indices {
      plan.notes[index] = Advice.completed(notes[index], of: subject, first: first)
    }
    return plan
  }
}

extension Verdict {
  /// The verdict with the options that change what is reported.
  var advised: Verdict {
    var verdict = self
    for index in notes.indices {
      verdict.notes[index].text = Advice.completed(notes[index].text, notes[index].remedies)
    }
    return verdict
  }
}
