extension Verdict.Finding {
  /// The identifier of a finding or a note of a comparison.
  ///
  /// More may be added. Machine output contains the raw value; `docs/identifiers.md` lists the identifiers.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public var rawValue: String

    /// Creates a code from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the code of a finding.
    package init(_ known: Known) { rawValue = known.rawValue }

    /// Creates the code of a note.
    package init(_ known: KnownNote) { rawValue = known.rawValue }
  }
}

extension Verdict.Finding.Code {
  /// The identifiers of findings, in the order of the documentation: without a meaning, none compiles.
  package enum Known: String, CaseIterable, Sendable {
    case registeredData = "registered-data"
    case notTransformed = "not-transformed"
    case wrongTransform = "wrong-transform"
    case edgeStrip = "edge-strip"
    case notLossless = "not-lossless"
    case qualityLost = "quality-lost"
    case dimensions
    case componentCount = "component-count"
    case quantizationTable = "quantization-table"
    case orientationStale = "orientation-stale"
    case xmpOrientationStale = "xmp-orientation-stale"
    case exifDimensionsStale = "exif-dimensions-stale"
    case xmpDimensionsStale = "xmp-dimensions-stale"
    case exifTagLost = "exif-tag-lost"
    case exifTagChanged = "exif-tag-changed"
    case makernoteLost = "makernote-lost"
    case exifBytesChanged = "exif-bytes-changed"
    case exifLengthChanged = "exif-length-changed"
    case exifRebuilt = "exif-rebuilt"
    case xmpRebuilt = "xmp-rebuilt"
    case xmpPropertyChanged = "xmp-property-changed"
    case xmpBytesChanged = "xmp-bytes-changed"
    case extendedXMPLost = "extended-xmp-lost"
    case extendedXMPDigest = "extended-xmp-digest"
    case segmentLost = "segment-lost"
    case segmentAdded = "segment-added"
    case segmentChanged = "segment-changed"
    case segmentOrder = "segment-order"
    case strayBytes = "stray-bytes"
    case trailerLost = "trailer-lost"
    case trailerChanged = "trailer-changed"
    case indexBroken = "index-broken"
    case thumbnailLost = "thumbnail-lost"
    case thumbnailNotTransformed = "thumbnail-not-transformed"
    case thumbnailChanged = "thumbnail-changed"
    case thumbnailDamaged = "thumbnail-damaged"
    case embeddedNotTransformed = "embedded-not-transformed"
    case itemOrientation = "item-orientation"
    case partChanged = "part-changed"
    case structureChanged = "structure-changed"
    case checksumWrong = "checksum-wrong"
    case sharedBytes = "shared-bytes"
    case undoDataWrong = "undo-data-wrong"
    case libexifTags = "libexif-tags"
  }

  /// The identifiers of notes, in the order of the documentation: without a meaning, none compiles.
  package enum KnownNote: String, CaseIterable, Sendable {
    case reencoded = "re-encoded"
    case trimmed
    case transformedFurther = "transformed-further"
    case tagTrusted = "tag-trusted"
    case noEndOfImage = "no-end-of-image"
    case thumbnailKept = "thumbnail-kept"
    case exifDimensionsStale = "exif-dimensions-stale"
    case indexWrong = "index-wrong"
    case codingProcess = "coding-process"
    case scanCount = "scan-count"
    case restartInterval = "restart-interval"
    case registeredData = "registered-data"
    case regionKept = "region-kept"
    case regionChanged = "region-changed"
    case orientationCopy = "orientation-copy"
    case undoData = "undo-data"
    case undoDataRemoved = "undo-data-removed"
    case credentialsRemoved = "credentials-removed"
    case credentialsInvalid = "credentials-invalid"
    case containerUnread = "container-unread"
    case unreadable
  }
}
