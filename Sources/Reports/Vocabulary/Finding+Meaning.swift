package import Verification

extension Verdict.Finding.Code.Known {
  /// What it means, as sentences with Markdown for a page of docs; settings are in braces.
  package var meaning: String {
    switch self {
    case .registeredData:
      "The image was transformed, but not the data that refers to its pixels, such as a "
        + "thermal matrix; a note with {registered-data keep}, and for previews."
    case .notTransformed: "The image was not transformed."
    case .wrongTransform: "The image was transformed, but not as the original specifies."
    case .edgeStrip: "Partial MCUs are in the wrong place."
    case .notLossless:
      "With {lossless}: an image was re-encoded in part, or lost partial MCUs."
    case .qualityLost:
      "Components were re-encoded that a lossless transform keeps, or with too large "
        + "quantization steps."
    case .dimensions: "The result is another image: it has another size."
    case .componentCount: "The result is another image: it has other components."
    case .quantizationTable: "The result is another image: it has other quantization tables."
    case .orientationStale: "Orientation is not 1, or not that of the displayed image."
    case .xmpOrientationStale:
      "Orientation in XMP is not 1, or is in a packet that is too large or too deep to "
        + "read."
    case .exifDimensionsStale:
      "Dimensions in Exif are those before the transform, or browsers, which compute the "
        + "size from Exif's dimensions and resolutions, show another one than before."
    case .xmpDimensionsStale: "Dimensions in XMP are those before the transform."
    case .exifTagLost: "A tag of Exif is missing."
    case .exifTagChanged: "A tag of Exif changed."
    case .makernoteLost: "The MakerNote is missing."
    case .exifBytesChanged: "Other bytes of the Exif block differ."
    case .exifLengthChanged: "The Exif block has another length."
    case .exifRebuilt: "The Exif block was rebuilt."
    case .xmpRebuilt: "The XMP packet was rebuilt."
    case .xmpPropertyChanged: "A property of XMP changed."
    case .xmpBytesChanged: "Other bytes of the XMP packet differ."
    case .extendedXMPLost: "The packet no longer refers to the extended XMP."
    case .extendedXMPDigest: "The digest of the extended XMP is no longer that of its content."
    case .segmentLost: "A segment is missing."
    case .segmentAdded: "A segment is new."
    case .segmentChanged: "A segment differs."
    case .segmentOrder: "The segments are in another order."
    case .strayBytes: "The bytes between segments differ."
    case .trailerLost: "The bytes after the image are missing."
    case .trailerChanged: "The bytes after the image differ."
    case .indexBroken: "The MPF index or the container directory does not match the images."
    case .thumbnailLost: "The thumbnail is missing or cannot be found."
    case .thumbnailNotTransformed: "The thumbnail was not transformed with the image."
    case .thumbnailChanged: "The thumbnail differs in another way."
    case .thumbnailDamaged: "The thumbnail cannot be decoded."
    case .embeddedNotTransformed:
      "A gain map, depth map, matte, preview or a view that is shown together with the "
        + "image was not transformed with the image, or is damaged; or there are more images, "
        + "or more within each other, than are read."
    case .itemOrientation:
      "An image of a HEIF file, or a page of a TIFF file, was not transformed as the "
        + "displayed image."
    case .partChanged: "In other formats: an item, a box, a chunk or other bytes differ."
    case .structureChanged:
      "In other formats: a part is missing, new, of another kind or in another order."
    case .checksumWrong: "The checksum of a PNG chunk of metadata is wrong."
    case .sharedBytes:
      "A byte of a TIFF directory that changed is also used by other data, or more fields "
        + "of Exif or the MPF index share bytes than are compared."
    case .undoDataWrong:
      "The undo data in the result is damaged, or does not restore the original."
    case .libexifTags: "libexif reads other tags than before."
    }
  }
}

extension Verdict.Finding.Code.KnownNote {
  /// What it means, as sentences with Markdown for a page of docs; settings are in braces.
  package var meaning: String {
    switch self {
    case .reencoded: "Some components were re-encoded, as a redraw does."
    case .trimmed: "Partial MCUs are cut off, as with {unaligned trim}; the rest is lossless."
    case .transformedFurther:
      "The result shows the original transformed in another way; {transform} with that "
        + "value expects it."
    case .tagTrusted:
      "A HEIF file is displayed as Orientation in the original's metadata says, not as its "
        + "`irot` and `imir` did."
    case .noEndOfImage: "The original has no EOI marker."
    case .thumbnailKept:
      "The thumbnail is unchanged. The text gives the reason: it was already upright, it "
        + "looks the same when transformed, or it cannot be read, decoded or found. A thumbnail "
        + "in JFIF, JFXX or Photoshop's resources shows the image as it was stored and "
        + "withholds the proof."
    case .exifDimensionsStale:
      "A recorded dimension was wrong in the original and is unchanged."
    case .indexWrong: "The MPF index of the original gave a wrong length for the first image."
    case .codingProcess: "The coding process differs."
    case .scanCount: "The number of scans differs."
    case .restartInterval: "The restart interval differs."
    case .registeredData:
      "Data that refers to the pixels of the image is unchanged, as with {registered-data "
        + "keep}, or is a preview."
    case .regionKept:
      "The face or subject regions of a list, or another number that should follow the "
        + "image, are unchanged and do not fit it, or may not."
    case .regionChanged:
      "The regions of a list changed. The text says whether they are where the image shows "
        + "the same; a region that another program put elsewhere, or of which nothing shows the "
        + "frame, is not proven."
    case .orientationCopy:
      "Another place of the result, such as Photoshop's resources, still gives another "
        + "Orientation than 1, or than that of the displayed image."
    case .undoData: "The result holds undo data of the rewrite."
    case .undoDataRemoved: "The undo data of the original is removed."
    case .credentialsRemoved:
      "The content credentials are removed, as with {content-credentials strip}."
    case .credentialsInvalid: "C2PA content credentials are invalid after the rewrite."
    case .containerUnread:
      "A container of metadata, an index or a trailer cannot be read to its end. A pointer "
        + "to bytes that no reader takes for a directory is none."
    case .unreadable: "Both files are the same, and cannot be read."
    }
  }
}
