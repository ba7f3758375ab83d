internal import ImageFormats
internal import ImageOrientation
internal import Upright

extension JSONReport: Reported {
  /// The fields of a report.
  package static let object = Fields<JSONReport>(
    "report",
    "The report of one file: what was done with it, or would be done.",
    columns: [
      Column(5, "trimmed_columns") { ($0.trimmed ?? $0.facts?.trimming)?.columns.cell ?? "" },
      Column(6, "trimmed_rows") { ($0.trimmed ?? $0.facts?.trimming)?.rows.cell ?? "" },
      Column(13, "orientation") { report in
        report.facts?.exifOrientation?.cell ?? report.plan?.image.orientation?.rawValue.cell ?? ""
      },
      Column(33, "text") { $0.error?.text ?? $0.reason?.explanation ?? "" },
    ]
  ) {
    Field("schema", "The schema and its version.", required: true, .one(of: [schema])) { _ in
      schema
    }
    Field(
      "path",
      "The file, as given or found; `-` is standard input. Bytes that are not UTF-8 are replaced by U+FFFD.",
      required: true,
      csv: 1
    ) { $0.path }
    Field(
      "pathBytes",
      "The bytes of the path in hexadecimal, if they are not UTF-8.",
      .matching("^([0-9a-f]{2})+$")
    ) { $0.pathBytes }
    Field("output", "Where the result was written, if not to `path`.", csv: 29) { $0.output }
    Field(
      "status",
      "What was done with the file, or would be done.",
      required: true,
      csv: 2
    ) { $0.status }
    Field(
      "transform",
      "How the stored image is transformed (rotations are clockwise); `none` if it is only cropped.",
      csv: 3
    ) { $0.transform }
    Field(
      "displayTransform",
      "How the displayed image is transformed (rotations are clockwise); absent if it does not change.",
      .one(of: OrientationTransform.allCases.filter { $0 != .none }.map { $0.rawValue })
    ) { $0.displayTransform }
    Field(
      "edges",
      "Whether the image is lossless, or what is done with its partial MCUs.",
      .one(of: ["lossless", "re-encoded", "trimmed"]),
      csv: 4
    ) { $0.edges?.name }
    Field(
      "keptComponents",
      "The components that stay lossless although others are re-encoded, by their index from 0.",
      mayBeEmpty: true
    ) { report -> [Int]? in
      guard case .reencoded(let kept, _)? = report.edges else { return nil }
      return kept
    }
    Field("trimmed", "The partial MCUs that are cut off.") { $0.trimmed }
    Field("crop", "The requested rectangle and the resulting one.") { $0.crop }
    Field("redraw", "The distortion and the size of the re-encoded image.") {
      $0.rewrite?.redraw
    }
    Field(
      "verification",
      "How the result was verified before it was written.",
      csv: 31
    ) { $0.rewrite?.verification }
    Field(
      "reason",
      "Why the file is already upright, unchanged or skipped, or why its tag is reset.",
      csv: 7
    ) { $0.reason }
    Field("error", "Why the file failed.", csv: 8) { $0.error }
    Field(
      "expectedName",
      "The name that the file should have, if its ending is that of another format.",
      csv: 36
    ) { $0.expectedName }
    Field(
      "pairedWith",
      "In an audit: the names of the images and videos next to the file whose names differ in their endings only."
    ) { $0.pairedWith }
    Field(
      "format",
      "The format of the file, by its content; of a conversion, that of the result.",
      csv: 34
    ) { $0.format }
    Field("mediaType", "The media type of this format, such as `image/jpeg`.") {
      $0.format?.mediaType
    }
    Field(
      "width",
      "The stored width in pixels before the rewrite, of HEIF as cropped (`clap`); of a conversion, the result's.",
      csv: 9
    ) { $0.width }
    Field(
      "height",
      "The stored height in pixels before the rewrite, of HEIF as cropped (`clap`); of a conversion, the result's. "
        + "0 if the frame header leaves it to DNL.",
      csv: 10
    ) { $0.height }
    Field(
      "sampling",
      "`4:2:0`, `4:2:2`, `4:4:4`, `4:4:0`, `4:1:1`, `4:4:1`, `4:1:0`, `grayscale`, or the sampling factors, as in "
        + "`2x2,1x1,1x1`. Only of JPEG files.",
      csv: 11
    ) { $0.sampling }
    Field(
      "coding",
      "`baseline`, `extended`, `progressive`, `lossless` or `sequential`, with `, arithmetic` or `, hierarchical`. "
        + "Only of JPEG files.",
      csv: 12
    ) { $0.plan?.image.jpeg?.process }
    Field(
      "contradictions",
      "Evidence against the Orientation tag of an image that is transformed all the same."
    ) { $0.plan?.contradictions }
    Field(
      "orientation",
      "The orientation before the rewrite, 1 to 8, if there is a valid one; of other formats, the one that their "
        + "standard obeys.",
      .range(1...8)
    ) { $0.plan?.image.orientation?.rawValue }
    Field(
      "size",
      "The size in bytes of the file that was or would be written.",
      .positive,
      csv: 30
    ) { $0.size }
    Field(
      "sha256",
      "The SHA-256 of the original that undo restores, or of the file without undo data.",
      .matching("^[0-9a-f]{64}$")
    ) { $0.sha256 }
    Field(
      "sha256Before",
      "The SHA-256 of the file before a rewrite that is recorded.",
      .matching("^[0-9a-f]{64}$"),
      csv: 37
    ) { $0.hashes?.before }
    Field(
      "sha256After",
      "The SHA-256 of the file after a rewrite that is recorded.",
      .matching("^[0-9a-f]{64}$"),
      csv: 38
    ) { $0.hashes?.after }
    Field(
      "restorable",
      "Whether the identical original can be restored from the result; a record of it then has the undo data.",
      csv: 32
    ) { $0.rewrite.map { $0.undo != nil } }
    Field("embeddedImages", "The other images in the file.") { $0.embeddedImages }
    Field(
      "regions",
      "What becomes of the regions of an image that is or would be transformed."
    ) { $0.plan?.regions }
    Field(
      "registeredData",
      "Data that is registered to the pixels of an image that is or would be transformed."
    ) { $0.plan?.registeredData }
    Field("changes", "Every change, in file order.") { $0.changes }
    Field("notes", "What else is worth knowing.", csv: 39) { $0.notes }
    Field("quality", "The JPEG quality of a conversion.", .range(1...100)) { $0.quality }
    Field("losses", "What a conversion cannot carry over.") { $0.losses }
    Field(
      "companions",
      "The files beside the photo that describe it, or may, and what becomes of each.",
      csv: 27
    ) { $0.companions }
    Field("facts", "What an audit reads about the contents of the file.") { $0.facts }
    Field(
      "warnings",
      "What the new file lacks although the photo was processed, such as an owner that the system refused to copy.",
      csv: 40
    ) { $0.warnings }
  }

  private var displayTransform: String? {
    guard case .transform(let transform, _)? = plan?.action else { return nil }
    let displayed = plan?.image.displayed(transform)
    return displayed == OrientationTransform.none ? nil : displayed?.rawValue
  }
}

extension Edges {
  fileprivate var name: String {
    switch self {
    case .lossless: "lossless"
    case .reencoded: "re-encoded"
    case .trimmed: "trimmed"
    }
  }
}
