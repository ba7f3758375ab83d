package import FileSystem
package import Upright

extension Setting {
  /// The settings of functions on files, besides those of the image.
  package static let ofFiles: [Setting] = [
    Setting(
      "sidecars",
      "What to do with sidecars that no longer match.",
      .files,
      .rewrites,
      .choice(named: "sidecars", standard: FilePolicy().sidecars) {
        switch $0 {
        case .update:
          "they are updated with the photo, which is skipped if that is impossible, and outputs get theirs"
        case .report: "they are only reported"
        case .ignore: "they are ignored"
        }
      }
    ),
    Setting(
      "without-sidecars",
      "Restore photos alone, and leave their sidecars.",
      .files,
      .undo,
      .flag(named: "without-sidecars")
    ),
    Setting(
      "embed-undo",
      "Put the undo data into the result itself, in a segment of its own.",
      .files,
      [.normalize, .transform],
      .flag(named: "embed-undo")
    ),
    Setting(
      "backup",
      "Keep originals under their names with this suffix. No other file is overwritten with it.",
      .files,
      .rewrites,
      .text(named: "backup")
    ),
    Setting(
      "hard-links",
      "What to do with a file that has several hard links.",
      .files,
      ofAll,
      .choice(named: "hard-links", standard: HardLinks.refuse) {
        switch $0 {
        case .refuse: "it is skipped"
        case .break: "it is replaced under this name only"
        }
      }
    ),
    Setting(
      "read-only",
      "What to do with a file that is read-only, or whose owner or group would change.",
      .files,
      ofAll,
      .choice(named: "read-only", standard: ReadOnlyPolicy.skip) {
        switch $0 {
        case .skip: "it is skipped"
        case .rewrite: "it is replaced anyway, which requires write access to its directory only"
        }
      }
    ),
    Setting(
      "times",
      "The modification time of a changed file.",
      .files,
      ofAll,
      .choice(named: "times", standard: FileTimes.visible) {
        switch $0 {
        case .visible:
          "it is kept, but later by a second where programs that compare size and time would not see the change"
        case .keep: "it is kept"
        case .now: "it is the present time"
        }
      }
    ),
    Setting(
      "overwrite",
      "Overwrite existing output files.",
      .files,
      ofAll,
      .flag(named: "overwrite")
    ),
  ]

  /// What every function on files takes.
  private static let ofAll: Takers = [.rewrites, .undo]
}

/// What to do with a file that is protected against writing; the raw values are option values.
package enum ReadOnlyPolicy: String, CaseIterable, Sendable {
  case skip, rewrite

  /// Which files are protected.
  package var rule: WriteProtection.Rule { self == .skip ? .permissions : .none }
}

extension FilePolicy {
  /// Creates the policy that the settings of a call request.
  ///
  /// - Throws: ``UprightError`` of code `unknown-value`.
  package init(_ call: CallOptions) throws(UprightError) {
    self.init()
    sidecars = call.choice("sidecars") ?? sidecars
    if call.isSet("without-sidecars") { sidecars = .ignore }
    protection = (call.choice("read-only") ?? ReadOnlyPolicy.skip).rule
    let times: FileTimes = call.choice("times") ?? .visible
    let backup = call[further: "backup"].map { Array($0.utf8) }
    if let backup, let problem = Self.problem(ofBackup: backup) {
      throw UprightError(.unknownValue, "backup \(problem)")
    }
    replacement = AtomicReplacement(
      hardLinks: call.choice("hard-links") ?? .refuse,
      backupSuffix: backup,
      times: times
    )
    creation = AtomicCreation(
      overwrite: call.isSet("overwrite"),
      times: times,
      protection: protection
    )
  }

  /// Returns why a suffix cannot be that of originals that are kept; nil if it can.
  package static func problem(ofBackup suffix: [UInt8]) -> String? {
    if suffix.isEmpty || suffix.contains(UInt8(ascii: "/")) {
      return "requires a suffix without slashes, such as .orig"
    }
    // A later walk would take such a file for a photo.
    guard NameRule().verdict(Array("x.jpg".utf8) + suffix) != .taken else {
      return "requires a suffix that is not a photo's, such as .orig"
    }
    return nil
  }
}
