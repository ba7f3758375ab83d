internal import ImageOrientation
internal import Upright
package import Verification

extension JSONVerification: Reported {
  /// The fields of a comparison.
  package static let object = Fields<JSONVerification>(
    "verification",
    "The verdict on a pair of files, an original and its result."
  ) {
    Field("schema", "The schema and its version.", required: true, .one(of: [schema])) { _ in
      schema
    }
    Field("original", "The original; with a record, the record file.", required: true) {
      $0.original
    }
    Field("result", "The file that should be the normalized original.", required: true) {
      $0.result
    }
    Field(
      "status",
      "The verdict; docs/verification.md lists the values.",
      required: true
    ) { $0.status }
    Field("text", "Why the pair was not compared.") { $0.text }
    Field("transform", "How the image was transformed (rotations are clockwise).") {
      $0.verdict?.transform
    }
    Field(
      "images",
      "The images in both files; the primary image is the first.",
      mayBeEmpty: true
    ) { $0.verdict?.images }
    Field("differences", "Fields that differ as they should.") { $0.verdict?.differences }
    Field("findings", "Differences that disprove the result.") { $0.verdict?.findings }
    Field("notes", "What else is worth knowing.") { $0.verdict?.notes }
    Field(
      "unread",
      "What was compared as bytes and not interpreted; empty if the files are identical.",
      mayBeEmpty: true
    ) { $0.verdict?.unread }
    Field("error", "Why a file cannot be read.") { $0.error }
  }
}

extension JSONVerification.Failure: Reported {
  static let object = Fields<JSONVerification.Failure>(
    "verificationError",
    "Why a file cannot be read."
  ) {
    Field(
      "id",
      "The error, as listed in docs/identifiers.md.",
      required: true,
      .identifier
    ) { $0.error.code.rawValue }
    Field("text", wording, required: true) { $0.error.text }
    Field("file", "Which of the two files cannot be read.") { $0.error.file }
  }
}

extension Verdict.Finding: Reported {
  package static let object = Fields<Verdict.Finding>(
    "finding",
    "An identifier and a text."
  ) {
    Field(
      "id",
      "The finding or note, as listed in docs/identifiers.md.",
      required: true,
      .identifier
    ) { $0.code.rawValue }
    Field("text", wording, required: true) { $0.text }
    Field("originalOffset", "The byte in the original.") { $0.originalOffset }
    Field("resultOffset", "The byte in the result.") { $0.resultOffset }
    Field("remedies", "What changes the comparison.") { $0.remedies }
  }
}

extension Verdict.Unread: Reported {
  package static let object = Fields<Verdict.Unread>(
    "unread",
    "Data that is the same in both files; whether it refers to the stored image is not known."
  ) {
    Field("kind", "Where the data is; docs/verification.md lists the values.", required: true) {
      $0.kind
    }
    Field("name", "Its name in the format, such as the URI of a namespace.", required: true) {
      $0.name
    }
    Field("count", "How often it occurs in the original.", required: true) { $0.count }
    Field("originalOffset", "The first byte of the first of them in the original.", required: true)
    {
      $0.offset
    }
    Field("text", wording, required: true) { $0.text }
  }
}

extension Verdict.Difference: Reported {
  package static let object = Fields<Verdict.Difference>(
    "difference",
    "A range of bytes that differs."
  ) {
    Field("field", "What the bytes are, such as `exif.ifd0.orientation`.", required: true) {
      $0.field.rawValue
    }
    Field("originalOffset", "The first byte in the original.", required: true) {
      $0.original.lowerBound
    }
    Field("resultOffset", "The first byte in the result.", required: true) {
      $0.result.lowerBound
    }
    Field("originalLength", "The number of bytes in the original.", required: true) {
      $0.original.count
    }
    Field("resultLength", "The number of bytes in the result.", required: true) {
      $0.result.count
    }
    Field("old", "The value in the original.") { $0.old.isEmpty ? nil : $0.old }
    Field("new", "The value in the result.") { $0.new.isEmpty ? nil : $0.new }
  }
}

extension Verdict.Image: Reported {
  package static let object = Fields<Verdict.Image>(
    "image",
    "An image in both files."
  ) {
    Field(
      "role",
      "The purpose of the image; docs/identifiers.md lists the values.",
      required: true,
      .one(of: ["primary"] + EmbeddedImage.Role.allCases.map { $0.rawValue })
    ) { $0.role?.rawValue ?? "primary" }
    Field(
      "relation",
      "How the image of the result relates to that of the original.",
      required: true
    ) { $0.relation }
    Field(
      "transform",
      "How the image was transformed, if that is known.",
      required: true
    ) { $0.transform }
    Field("originalOffset", "Its first byte in the original.", required: true) {
      $0.original.lowerBound
    }
    Field("resultOffset", "Its first byte in the result.", required: true) {
      $0.result.lowerBound
    }
    Field("coefficients", "How many coefficients were compared.", required: true) {
      $0.coefficients
    }
    Field("components", "Its components, if they could be compared.") { $0.components }
  }
}

extension Verdict.Component: Reported {
  package static let object = Fields<Verdict.Component>(
    "component",
    "A component."
  ) {
    Field(
      "lossless",
      "Whether the result has every coefficient of the component, transformed.",
      required: true
    ) { $0.isLossless }
    Field("psnr", "PSNR in dB; absent if no sample differs.") { Hundredths($0.psnr) }
    Field(
      "largestError",
      "The largest difference of two samples.",
      required: true,
      .range(0...255)
    ) { $0.largestError }
  }
}
