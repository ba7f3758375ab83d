internal import ImageOrientation
package import Upright

extension TrimmedEdges: Reported {
  package static let object = Fields<TrimmedEdges>(
    "loss",
    "Columns and rows of the stored raster."
  ) {
    Field("columns", "Columns, from the right.", required: true) { $0.columns }
    Field("rows", "Rows, from the bottom.", required: true) { $0.rows }
  }
}

extension Crop: Reported {
  package static let object = Fields<Crop>(
    "crop",
    "The requested rectangle and the resulting one, in pixels of the upright image."
  ) {
    Field("requested", "The requested rectangle.", required: true) {
      ReportedRectangle(rectangle: $0.requested)
    }
    Field("result", "The rectangle of the result.", required: true) {
      ReportedRectangle(rectangle: $0.result)
    }
  }
}

/// A rectangle: lists of fields cannot belong to a generic type.
private struct ReportedRectangle: Reported {
  var rectangle: PixelRectangle

  static let object = Fields<ReportedRectangle>(
    "rectangle",
    "A rectangle in pixels of the upright image."
  ) {
    Field("x", "From the left.", required: true) { $0.rectangle.x }
    Field("y", "From the top.", required: true) { $0.rectangle.y }
    Field("width", "The width.", required: true, .positive) { $0.rectangle.width }
    Field("height", "The height.", required: true, .positive) { $0.rectangle.height }
  }
}

extension RedrawReport: Reported {
  package static let object = Fields<RedrawReport>(
    "redraw",
    "The distortion and the size of the re-encoded image."
  ) {
    Field(
      "psnr",
      "PSNR in dB of the displayed red, green and blue, as docs/output.md explains; absent if nothing differs."
    ) { Hundredths($0.psnr) }
    Field(
      "largestError",
      "The largest difference of two samples, in the lines that are measured (docs/output.md).",
      required: true,
      .range(0...255)
    ) { $0.largestError }
    Field(
      "exceptions",
      "The number of coefficients that the undo data must list.",
      required: true
    ) { $0.exceptions }
    Field("exceptionBytes", "Their size in the undo data, in bytes.", required: true) {
      $0.exceptionBytes
    }
    Field(
      "sizeBefore",
      "The size of the entropy-coded data before, in bytes.",
      required: true
    ) { $0.sizeBefore }
    Field("sizeAfter", "The size of the entropy-coded data after, in bytes.", required: true) {
      $0.sizeAfter
    }
  }
}

extension ReportedImage: Reported {
  static let object = Fields<ReportedImage>(
    "embeddedImage",
    "A secondary image, a thumbnail or a video in the file."
  ) {
    Field("role", "The purpose of the image.", required: true) { $0.image.role }
    Field("offset", "Its first byte in the original.", required: true) {
      $0.image.range.lowerBound
    }
    Field("length", "Its length in bytes.", required: true) { $0.image.range.count }
    Field("width", "Its stored width, if it can be read.") { $0.image.width }
    Field("height", "Its stored height, if it can be read.") { $0.image.height }
    Field("disposition", "What was done with it; absent if the file is unchanged.") {
      $0.isChanged ? $0.image.disposition : nil
    }
  }
}

extension RegisteredData: Reported {
  package static let object = Fields<RegisteredData>(
    "registeredData",
    "Data that is registered to the pixels of the image."
  ) {
    Field("kind", "The kind of data, such as `flir` or `gdepth`.", required: true) { $0.kind }
    Field(
      "effect",
      "What the transform means for it: `misregistered`, it no longer fits the image; `stale`, it is a preview that "
        + "shows the image as it was stored; `independent`, nothing.",
      required: true
    ) { $0.effect }
    Field("offset", "Where in the original it was recognized.", required: true) { $0.offset }
  }
}

extension RegionDecision: Reported {
  package static let object = Fields<RegionDecision>(
    "region",
    "What becomes of one kind of regions."
  ) {
    Field("kind", "The kind of regions.", required: true) { $0.kind }
    Field(
      "disposition",
      "`transformed`; `fitting`: they describe the displayed image and are kept; `kept`: they describe the image as it "
        + "was stored, or may do so.",
      required: true
    ) { $0.disposition }
    Field("frame", "The image that they refer to; absent if unknown.") { $0.frame }
    Field("evidence", "What the decision is based on.", required: true) { $0.evidence }
  }
}

extension Change: Reported {
  package static let object = Fields<Change>(
    "change",
    "A range of bytes that is replaced."
  ) {
    Reports.Field("field", "What the bytes are, such as `exif.ifd0.orientation`.", required: true) {
      $0.field.rawValue
    }
    Reports.Field(
      "offset",
      "The first byte in the original; of a conversion, in its Exif block or XMP packet.",
      required: true
    ) { $0.range.lowerBound }
    Reports.Field("oldLength", "How many bytes are replaced; 0 for an insertion.", required: true) {
      $0.range.count
    }
    Reports.Field("newLength", "How many bytes replace them.", required: true) {
      $0.replacement.count
    }
    Reports.Field("old", "The value before; absent if there is none.") {
      $0.old.isEmpty ? nil : $0.old
    }
    Reports.Field("new", "The value after; absent if there is none.") {
      $0.new.isEmpty ? nil : $0.new
    }
  }
}
