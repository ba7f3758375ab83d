internal import Upright

extension Companion: Reported {
  package static let object = Fields<Companion>(
    "companion",
    "A file beside the photo, and what was done with it, or would be."
  ) {
    Field(
      "path",
      "The file. Bytes that are not UTF-8 are replaced by U+FFFD.",
      required: true
    ) { $0.path }
    Field(
      "pathBytes",
      "The bytes of the path in hexadecimal, if they are not UTF-8.",
      .matching("^([0-9a-f]{2})+$")
    ) { $0.pathBytes }
    Field("kind", "What the file is to the photo.", required: true) { $0.kind }
    Field(
      "name",
      "What the file is, as a noun, such as `sidecar` or `edit of darktable`. " + wording,
      required: true
    ) { $0.name }
    Field("action", "What becomes of the file.", required: true) { $0.action }
    Field(
      "done",
      "Whether that was done; otherwise it is planned, or failed.",
      required: true
    ) { $0.isDone }
    Field("reason", "Why the file stays as it is; only of the action `leave`.") { $0.cause }
    Field(
      "orientation",
      "The Orientation in the file, if it differs from that of the photo."
    ) { $0.orientation }
    Field("output", "The file that was written, if not `path`.") { $0.output }
    Field("error", "Why the file could not be read or written.") { $0.error }
    Field("notes", "What the file keeps although it may not fit the photo any more.") {
      $0.notes
    }
    Field("remedies", "What changes the decision.") { $0.remedies }
  }
}

extension Companion {
  /// The action and the path, as in a cell of CSV.
  package var cell: String { "\(action.rawValue) \(path)" }
}
