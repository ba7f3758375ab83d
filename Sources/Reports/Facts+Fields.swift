internal import ImageOrientation
package import Upright

extension Facts: Reported {
  /// The fields of the facts.
  package static let object = Fields<Facts>(
    "facts",
    "What else an audit found in the file. Plans do not depend on it."
  ) {
    Field("size", "The file's size in bytes.", required: true, csv: 15, column: "file_size") {
      $0.size
    }
    Field(
      "formatOrientation",
      "What the format itself states: irot and imir of HEIF, the codestream of JPEG XL, the matrix of a video, the rotation of X3F and CRW.",
      .range(1...8),
      csv: 35
    ) { $0.formatOrientation?.rawValue }
    Field(
      "orientationsAgree",
      "Of formats other than JPEG: whether all readers show the same, whichever statement they obey."
    ) { $0.orientationsAgree }
    Field(
      "exifOrientation",
      "The number in Exif's Orientation, valid or not.",
      .natural
    ) { $0.exifOrientation }
    Field(
      "xmpOrientation",
      "The number in XMP's tiff:Orientation, valid or not.",
      csv: 14
    ) { $0.xmpOrientation }
    Field(
      "trimming",
      "What a trimmed image would lose, whatever the policy is; absent if nothing."
    ) { $0.trimming }
    Field(
      "conflicts",
      "Why the Orientation tag may be stale.",
      csv: 28,
      column: "conflict"
    ) { $0.conflicts }
    Field("camera", "Make and model from Exif.", csv: 16) { $0.camera }
    Field(
      "captured",
      "When the photo was taken, by the camera's clock, as in `2024-05-06T07:08:09`, with a fraction of the second and "
        + "the offset from UTC if they are known.",
      csv: 17
    ) { $0.captured }
    Field(
      "gps",
      "Whether Exif has a latitude and a longitude, as fractions or as text; 0/0 is not a value.",
      required: true,
      csv: 18
    ) { $0.hasPosition }
    Field("thumbnail", "Whether Exif has a thumbnail.", required: true, csv: 19) {
      $0.hasThumbnail
    }
    Field("gainMap", "Whether the metadata announce a gain map.", required: true, csv: 20) {
      $0.hasGainMap
    }
    Field(
      "motionPhoto",
      "Whether the metadata announce a motion photo's video.",
      required: true,
      csv: 21
    ) { $0.isMotionPhoto }
    Field(
      "thumbnailTransform",
      "The transform after which the thumbnail of an upright image would show it upright, too; only from "
        + "audits that read whole files."
    ) { $0.thumbnailTransform }
    Field(
      "trailingBytes",
      "How many bytes follow the primary image; absent if only its scan data would show it.",
      csv: 22
    ) { $0.trailingBytes }
    Field(
      "contentCredentials",
      "Whether the file has C2PA content credentials.",
      required: true,
      csv: 23
    ) { $0.hasContentCredentials }
    Field("regions", "Whether XMP has regions of the image.", required: true, csv: 24) {
      $0.hasRegions
    }
    Field(
      "subjectArea",
      "Whether Exif has a SubjectArea or SubjectLocation.",
      required: true,
      csv: 25
    ) { $0.hasSubjectArea }
    Field(
      "undoData",
      "Whether the file has the data to undo its last rewrite.",
      required: true,
      csv: 26
    ) { $0.hasUndoData }
  }
}
