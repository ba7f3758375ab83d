package import Upright

extension Reason.Code.Known {
  /// The operation whose reason it is, or nil if it is one of several.
  package var operation: String? {
    switch self {
    case .highDynamicRange, .color: "convert"
    case .original, .noRecord, .changedSince, .noUndoData, .copy, .sidecarChanged,
      .severalOriginals:
      "undo"
    default: nil
    }
  }

  /// A few words for it on a page, by default those of the identifier.
  package var title: String {
    switch self {
    case .noOrientation: "no Orientation tag"
    case .unknownOrientation: "Orientation is 0"
    case .noOrientationEntry: "no room for an Orientation tag"
    case .noRoomForExif: "no room for an Orientation tag"
    case .unalignedEdge: "edges would be cut off or re-encoded"
    case .conflict: "stale Orientation tag suspected"
    case .reservedOrientation: "Orientation without a meaning"
    case .unclearOrientation: "Orientation tags contradict each other"
    case .exifUnreadable: "Exif cannot be read"
    case .sharedBytes: "two fields are in the same bytes"
    case .imageStructure: "the structure of the file"
    case .otherFormat: "another image format"
    case .misnamed: "the name of another format"
    case .neighbourEdit: "edits beside the photo"
    case .neighbourMap: "a map beside the photo"
    case .contentCredentials: "content credentials would become invalid"
    case .embeddedImage: "a secondary image cannot be read"
    case .registeredData: "data in the file would no longer fit the image"
    case .absoluteOffsets: "offsets would become wrong"
    case .jpegXT: "JPEG XT"
    case .arithmeticCoding: "arithmetic coding"
    case .codingProcess: "a rare kind of JPEG"
    case .samplePrecision: "not 8 bits per sample"
    case .sampling: "a rare chroma subsampling"
    case .heightByDNL: "the height is after the scan"
    case .incompleteProgression: "a progressive image that is incomplete"
    case .pixelLimit: "more pixels than the limit"
    case .scanLimit: "more scans than the limit"
    case .memoryLimit: "more memory than the limit"
    case .noEndOfImage: "the end of the image is missing"
    case .noUndo: "could not be undone"
    case .writeProtected: "must not be written"
    case .hardLinked: "several hard links"
    default: rawValue.split(separator: "-").joined(separator: " ")
    }
  }

  /// What it means and what to do, as sentences with Markdown for a page of docs; settings are in braces, as in
  /// `{unaligned redraw}`.
  package var meaning: String {
    switch self {
    case .upright: "Orientation is 1."
    case .noOrientation: "There is no Orientation tag."
    case .unknownOrientation:
      "Orientation is 0 (\"unknown\") and is treated as 1, or with {reset-invalid} set to 1."
    case .tagAlready: "The tag already has the requested value."
    case .asStored:
      "The image is stored as it is displayed. With status `reset`: why the tag is reset."
    case .noOrientationEntry:
      "Exif has no Orientation and no room for one. Rotate the image instead."
    case .noRoomForExif:
      "There is no Exif block, and a new one would move bytes that others point to. Rotate the image "
        + "instead."
    case .unalignedEdge:
      "The transform would lose partial MCUs of the image, or re-encode its thumbnail, gain map or "
        + "preview ([section 3](specification.md#3-lossless-transforms)). Use {unaligned redraw} or "
        + "`trim`, or keep the file as it is."
    case .conflict:
      "A stale Orientation tag is suspected ([evidence](#evidence)), or with status `reset` was the "
        + "reason to reset it. Look at the photo, then {on-conflict trust-tag} or `reset-tag`."
    case .reservedOrientation:
      "Orientation is above 8; with the library's option `strict-orientation` also 0. Correct it, or "
        + "use {reset-invalid}."
    case .unclearOrientation:
      "Several Orientation tags contradict each other. A change of the tag sets all of them."
    case .noPage: "The file does not have the requested page."
    case .exifUnreadable:
      "The Exif block, or a directory of a TIFF file, cannot be read, its checksum in a PNG file is "
        + "wrong, or an XMP packet is too large or too deep to read. Repair it."
    case .sharedBytes:
      "A field that must change shares bytes with another field, so the other one would change, too; or more "
        + "fields share bytes than are read."
    case .orientationsDisagree:
      "The parts of a file of [another format](audit.md#other-formats) state different orientations, "
        + "so readers show it differently. Look at the photo, then correct the wrong one: HEIF with "
        + "{on-conflict trust-tag} or `reset-tag`."
    case .imageStructure:
      "A HEIF or AVIF file has a structure in which not all displayed images would follow a change, "
        + "an item could not be found, or no program can decode the image; the text [names "
        + "it](heif.md#all-images-or-none). Rotate the photo in a program that decodes it, or find a "
        + "better copy."
    case .otherFormat:
      "The file is of [another format](audit.md#other-formats), or has a form, in which this is not "
        + "changed; the text says what."
    case .appliedByReaders: "The format states the orientation, and its readers apply it."
    case .misnamed:
      "In an audit: the file is already upright, its content is of another format than the name "
        + "says, and not JPEG. Rename it; `expectedName` is the name, also of other files."
    case .sidecarConflict:
      "The photo is already upright, and its sidecar has another Orientation; or the photo is not, and edits or regions of such "
        + "a sidecar may count in another frame. [Decide which is right](archives.md#sidecars)."
    case .staleSidecar:
      "An interrupted run replaced the photo but not its sidecar. Use {sidecars update}."
    case .sidecarShared:
      "The sidecar may also be that of another photo, or is a link to another file, so it cannot be "
        + "updated. Give each photo a file of its own, or use {sidecars report}."
    case .sidecarUnreadable:
      "The sidecar cannot be read, is not XMP, or has numbers that cannot be changed, so it cannot be "
        + "updated. Repair or remove it, or use {sidecars report}."
    case .neighbourEdit:
      "[A file beside the photo](archives.md#files-of-other-programs) has an edit that would be "
        + "applied to another part of the image. Finish it first, or use {sidecars ignore}."
    case .neighbourMap:
      "[A file beside the photo](archives.md#files-of-other-programs) has a position on a map that "
        + "would be applied to another part of the image. For a world file, use {sidecars update}; for "
        + "others, finish the map first, or use {sidecars ignore}."
    case .contentCredentials:
      "C2PA content credentials would become invalid. Use {content-credentials keep} or `strip`."
    case .embeddedImage:
      "A gain map, depth map, matte or preview cannot be transformed, is damaged, or is not where an "
        + "index lists it; or there are more images, or more within each other, than are read."
    case .registeredData:
      "The file has data that would no longer fit the transformed image, such as a thermal matrix or "
        + "a depth map; the text names the [kinds](what-changes.md#registered-data). Keep the tag, or "
        + "use {registered-data keep}."
    case .absoluteOffsets:
      "Data after the image, of Samsung or AFCP, holds offsets from the start of the file and would have to "
        + "move. The photo itself may be intact. Keep the tag."
    case .jpegXT: "JPEG XT data refines the stored image."
    case .arithmeticCoding: "The image is arithmetic-coded."
    case .codingProcess: "The image is lossless or hierarchical JPEG."
    case .samplePrecision: "The image does not have 8 bits per sample."
    case .sampling: "An MCU has more than ten blocks, which T.81 does not allow."
    case .heightByDNL: "The frame header has no height, or a DNL segment has one."
    case .incompleteProgression: "Progressive scans omit coefficients that a transposition needs."
    case .pixelLimit:
      "The image has more pixels than {max-pixels} (2^29). For a trusted file, raise the limit."
    case .scanLimit:
      "The image has more scans than {max-scans} (100; the decoder accepts 500), which you can raise "
        + "for a trusted file, or all scans together visit more than 200 million blocks."
    case .memoryLimit:
      "The estimate is above {memory} (default: the memory of the machine): 300 bytes for each block "
        + "of 8×8 samples, 520 if the image is re-encoded, and four times the size of the file."
    case .noEndOfImage:
      "The file ends before EOI, and no change was needed. Find a better copy. With {check-unchanged}, a cut "
        + "image is the error `truncated`."
    case .noUndo:
      "The identical original could not be restored, and {require-undo} is given: keep a copy. Or "
        + "{embed-undo} is given for a file of another format, which cannot hold its undo data: use "
        + "{record}."
    case .writeProtected:
      "The file, of a link its target, or its sidecar is [read-only, or its owner or group would "
        + "change](archives.md#access-rights). To replace it anyway, use {read-only rewrite}."
    case .hardLinked:
      "The file has several names, and a rewrite in place would change only this one. Use "
        + "{hard-links break} or {output-dir}."
    case .highDynamicRange:
      "The transfer function (PQ, HLG or another) needs tone mapping to fit into eight bits. Apply "
        + "tone mapping with a raw converter."
    case .color: "The colors have unknown code points, or a profile above 16 MiB."
    case .original: "The file already is the original."
    case .noRecord:
      "The record has nothing on this file. A finding only if the file was named. Look for its "
        + "record."
    case .changedSince: "The file changed after the rewrite. Undo the later change first."
    case .noUndoData:
      "The record has no undo data, because the identical original could not be restored at the time "
        + "of the rewrite; without {record}, the file has none. Look for a record or a backup."
    case .copy:
      "The file was found in a directory and has the content of a recorded result, but every "
        + "recorded file still exists elsewhere. Name the file, or use {copies}."
    case .sidecarChanged:
      "The sidecar was updated with the photo and changed after that, so it cannot be restored. "
        + "{without-sidecars} restores the photo alone."
    case .severalOriginals:
      "The records lead to different originals, or the file was rewritten and may have come from "
        + "another path, where it was rewritten, too. Run `undo` where the file was rewritten, or with "
        + "{last}."
    }
  }
}
