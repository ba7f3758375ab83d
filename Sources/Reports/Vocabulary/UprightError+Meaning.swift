package import Upright

extension UprightError.Code.Known {
  /// Whether it is about the image, not the processing.
  package var isOfImage: Bool {
    switch self {
    case .outOfMemory, .cancelled, .timeLimit, .decoderFailed, .unknownOption, .unknownValue,
      .argument:
      false
    default: true
    }
  }

  /// What it means, as sentences with Markdown for a page of docs; settings are in braces.
  package var meaning: String {
    switch self {
    case .notImage:
      "In an audit: a file with the name of another format than JPEG is of no format that is known."
    case .empty: "The file is empty."
    case .notJPEG:
      "The file does not begin with SOI. The text names the format if the first bytes show it."
    case .notHEIF: "The file to convert is not HEIF."
    case .unsupported:
      "No decoder for the coding of a HEIF file, or a feature that cannot be checked before "
        + "decoding. Also: a sidecar that two photos may share."
    case .truncated: "The file ends before the image does."
    case .malformed: "The structure contradicts the standard. Also: a sidecar that is not XMP."
    case .damagedScan:
      "Entropy-coded data is damaged, or a table that it needs is missing. Find a better copy. `rotate` and "
        + "`flip` with {tag-only} still change how the image is displayed."
    case .limit:
      "More than 100,000 segments or 1,000 scans, a header above 64 MiB, or a file above "
        + "{max-bytes} (2^30)."
    case .unalignedEdge: "The transform would lose partial MCUs, and {unaligned fail} is given."
    case .outsideImage: "The crop rectangle is not within the upright image."
    case .emptyCrop: "Nothing is left of the crop rectangle after it shrinks to whole MCUs."
    case .verification: "The result, or a restored original, does not match. It was discarded."
    case .outOfMemory: "Memory ran out."
    case .cancelled: "A program cancelled the work."
    case .timeLimit:
      "The work took longer than allowed (service, libraries, and {time-limit} of `convert`)."
    case .decoderFailed:
      "The process that decodes a HEIF file crashed, ran out of memory or could not be started."
    case .unknownOption: "A call of the C library has an unknown option."
    case .unknownValue: "A call of the C library has an unknown value of an option."
    case .argument: "A call of the C library has another wrong argument."
    }
  }
}
