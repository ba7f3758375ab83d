internal import PhotoFiles
internal import Records

extension FileProblem {
  /// Whether it is about a record.
  var isOfRecord: Bool {
    switch self {
    case .internal, .journalDiffers: false
    case .outside: true
    }
  }

  /// What it means, as sentences with Markdown for a page of docs.
  var meaning: String {
    switch self {
    case .internal: "An unexpected error of Upright; please report it. The file was not changed."
    case .journalDiffers:
      "An earlier run with the same journal did something else with the photo, such as a rotation "
        + "by another angle. Undo it, or use a new journal."
    case .outside:
      "The record names files outside the working directory, and is not a private file of the "
        + "user. The text has the command that restores them."
    }
  }
}

extension RecordProblem {
  /// What it means, as sentences with Markdown for a page of docs.
  var meaning: String {
    switch self {
    case .damaged: "A line of the record was changed."
    case .cut: "A line of the record ends early."
    case .version: "A line of the record has another version."
    case .path: "A line of the record has paths that Upright never records."
    }
  }
}
