package import Upright

extension Reason: Reported {
  package static let object = Fields<Reason>(
    "reason",
    "An identifier and what it means."
  ) {
    Field(
      "id",
      "The reason, as listed in docs/identifiers.md.",
      required: true,
      .identifier
    ) { $0.code.rawValue }
    Field("text", wording, required: true) { $0.explanation }
    Field(
      "evidence",
      "Why a stale Orientation tag is suspected; only of the reason `conflict`."
    ) { $0.evidence }
    Field("remedies", "What changes the decision.") { $0.remedies }
  }
}

extension UprightError: Reported {
  package static let object = Fields<UprightError>(
    "error",
    "An identifier and what happened."
  ) {
    Field(
      "id",
      "The error, as listed in docs/identifiers.md.",
      required: true,
      .identifier
    ) { $0.code.rawValue }
    Field("text", wording, required: true) { $0.text }
    Field("remedies", "What prevents the error.") { $0.remedies }
    Field("offset", "The byte in the file, where it is known.") { $0.offset }
  }
}

extension Note: Reported {
  package static let object = Fields<Note>(
    "note",
    "An identifier and a remark."
  ) {
    Field(
      "id",
      "The note, as listed in docs/identifiers.md.",
      required: true,
      .identifier
    ) { $0.code.rawValue }
    Field("text", wording, required: true) { $0.text }
    Field("remedies", "What changes what is noted.") { $0.remedies }
  }
}

extension TagEvidence: Reported {
  package static let object = Fields<TagEvidence>(
    "evidence",
    "Evidence of a stale Orientation tag."
  ) {
    Field(
      "id",
      "The evidence; docs/specification.md, section 6, gives the weights.",
      required: true,
      .one(of: TagEvidence.Kind.all.map { $0.rawValue })
    ) { $0.kind.rawValue }
    Field("text", wording, required: true) { $0.text }
  }
}

extension Remedy: Reported {
  package static let object = Fields<Remedy>(
    "remedy",
    "What changes a decision or prevents an error: a policy with another value, a higher limit, or another action."
  ) {
    Field("policy", "The name of a policy, as of the command's option.") { remedy -> String? in
      guard case .policy(let name, _) = remedy.step else { return nil }
      return name
    }
    Field("value", "The value of the policy.") { remedy -> String? in
      guard case .policy(_, let value) = remedy.step else { return nil }
      return value
    }
    Field("limit", "The name of a limit, as of the command's option.") { remedy -> String? in
      guard case .limit(let name) = remedy.step else { return nil }
      return name
    }
    Field(
      "action",
      "Something else to do, as listed in docs/identifiers.md."
    ) { remedy -> String? in
      guard case .action(let action) = remedy.step else { return nil }
      return action.rawValue
    }
    Field(
      "text",
      "The effect as an imperative for people, as on a button; the wording may change."
    ) { $0.text.isEmpty ? nil : $0.text }
  }
}

/// What the texts of reports are.
let wording = "For people; the wording may change."

extension Reason {
  package var cell: String { code.rawValue }
}

extension UprightError {
  package var cell: String { code.rawValue }
}

extension Note {
  package var cell: String { code.rawValue }
}

extension TagEvidence {
  package var cell: String { kind.rawValue }
}
