extension Status {
  /// What it means, as sentences with Markdown.
  package var meaning: String {
    switch self {
    case .alreadyUpright: "The image is stored as it is displayed. The file is unchanged."
    case .unchanged:
      "No change was needed for another reason, such as a tag that already has the requested value."
    case .planned: "A dry run or an audit: the file would be rewritten."
    case .normalized:
      "The image was rotated or flipped as its Orientation specifies, and Orientation is 1."
    case .rotated: "The displayed image was rotated."
    case .flipped: "The displayed image was mirrored: flipped, transposed or transversed."
    case .cropped: "The displayed image was cropped, and is normalized."
    case .reset: "A stale Orientation was set to 1; the image is unchanged."
    case .tagged: "The tag was changed on request; the image is unchanged."
    case .restored: "The original was restored."
    case .restorable: "A dry run: the original could be restored."
    case .stripped: "The undo data in the file was removed."
    case .converted: "A JPEG file was written."
    case .convertible: "A dry run: a JPEG file could be written."
    case .skipped: "The file was not changed, for a reason that somebody should look at."
    case .failed: "An error: the file could not be processed."
    case .interrupted:
      "A signal ended the run before the file was replaced, or its output written. The file is unchanged."
    }
  }
}
