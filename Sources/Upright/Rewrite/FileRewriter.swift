internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Transforms the primary image of a file and all data that describes it.
///
/// The order is: secondary images, whose lengths may be in XMP; metadata and thumbnails, which are in the segments of the
/// primary image; the scans of the primary image, which compensate the change of its length; and the index with all
/// offsets.
struct FileRewriter {
  let job: TransformJob
  let thumbnails: [Thumbnail]
  let options: Options

  var header: Header { job.metadata.header }
  /// The transform of the primary image.
  var raster: RasterTransform { job.raster }

  /// All edits of the file, with data for the report.
  struct Result {
    var edits: [Edit] = []
    /// The images whose scans were encoded again; those in segments of others come first.
    var transformed: [TransformedImage] = []
    /// The distortion of the primary image, if it was re-encoded.
    var redraw: RedrawReport?
    var images: [EmbeddedImage] = []
    var notes: [String] = []
    /// The tones of the transformed thumbnails.
    var thumbnailTones: [ToneGrid] = []
    /// The evidence against the tag in what the thumbnails show.
    var evidence: TagEvidence?
  }

  /// Rewrites the file.
  ///
  /// - Throws: ``ImageRewriter/Failure`` if the primary image, or an image that is aligned with its pixels, cannot be
  ///   transformed.
  func rewrite(_ bytes: [UInt8]) throws(ImageRewriter.Failure) -> Result {
    var result = Result()
    let secondary = try rewriteSecondary(bytes, &result)
    let (header, raster) = (header, raster)
    var metadata = job.metadata
    metadata.itemLengths = secondary.lengths
    metadata.removedItems = Set(secondary.removed.compactMap { $0.item })
    metadata.losesGainMap = secondary.losesGainMap
    var (edits, notes) =
      secondary.changesMetadata
      ? metadata.edits(bytes.span) : (job.edits, job.metadataNotes)
    result.notes += notes
    result.notes += options.contentCredentials.notes(header, bytes.span)
    let index = MultiPictureIndex(header.container, bytes.span)
    let removed = secondary.removed.map { $0.range.lowerBound }
    var others = options.contentCredentials.edits(header, bytes.span)
    if let removal = index?.removal(removing: removed) { others.append(removal) }
    if metadata.losesGainMap { others += gainMapVersionEdits(bytes.span) }
    if raster.isCropped {
      let (removals, notes) = OtherThumbnails(header: header).edits(bytes.span)
      others += removals
      result.notes += notes
    } else {
      others += rewriteThumbnails(bytes, &result)
    }

    let rewritten = try ImageRewriter(
      raster: raster,
      options: options,
      measuresTones: !result.thumbnailTones.isEmpty
    ).rewrite(bytes, room: room(bytes, (edits + others).totalShift))
    result.evidence = ThumbnailContent.evidence(rewritten.tones, result.thumbnailTones)
    result.notes += Self.notes(on: rewritten.transformed.info)
    if !header.container.isComplete {
      result.notes.append("the image has no EOI marker, but is complete")
    }
    if raster.isCropped { others += renewThumbnails(bytes, rewritten.edits, &result) }
    if listsOwnLength {
      // A longer number can make the packet longer, once.
      for _ in 0..<2 {
        let moved = (edits + others + rewritten.edits).totalShift
        metadata.itemLengths[0] = header.container.end + moved
        edits = metadata.edits(bytes.span).edits
      }
    }
    let primary = edits + others + rewritten.edits
    result.edits += primary
    result.transformed.append(rewritten.transformed)
    result.redraw = RedrawReport(rewritten)
    if case .trim = raster.partialMCUs, result.images.contains(where: { $0.role == .gainMap }) {
      result.notes.append(
        "the gain map is not trimmed with the image and no longer matches its edges"
      )
    }

    if let video = Inventory.video(after: header.container.end, bytes.span) {
      result.images.append(video)
    }
    try reportMoves(bytes, primary.totalShift, &result)
    if let index {
      result.edits += index.edits(following: result.edits, removing: removed, bytes.span)
    }
    return result
  }

  /// Returns notes on stray bytes after the last MCU.
  private static func notes(on info: ReconstructionInfo) -> [String] {
    switch info.strayByteCount {
    case 0: []
    case 1: ["1 stray byte after the last MCU is removed"]
    case let count: ["\(count) stray bytes after the last MCU are removed"]
    }
  }

  /// Returns by how many bytes the scans should change in length to compensate `shift`, the change by other edits.
  ///
  /// - Returns: The number, or nil if the data after the image may move.
  func room(_ bytes: [UInt8], _ shift: Int) -> Int? {
    let end = header.container.end
    if end == bytes.count { return nil }
    // A crop removes many bytes. They are replaced with fill bytes only if offsets would break.
    if raster.isCropped, !SamsungTrailer.hasAbsoluteOffsets(bytes, after: end) { return nil }
    return -shift
  }

  /// Adds a note if data after the image moves, and throws if that is known to break offsets.
  private func reportMoves(
    _ bytes: [UInt8],
    _ shift: Int,
    _ result: inout Result
  ) throws(ImageRewriter.Failure) {
    let last = result.images.filter { $0.role != .thumbnail }.map { $0.range.upperBound }.max()
    let end = max(header.container.end, last ?? 0)
    let followers = end < bytes.count ? result.edits.totalShift : 0
    guard header.container.end < bytes.count, shift != 0 || followers != 0 else { return }
    if SamsungTrailer.hasAbsoluteOffsets(bytes, after: header.container.end) {
      throw .refused(.absoluteOffsets)
    }
    // The images in an index are updated, so a crop needs no note about them.
    guard !raster.isCropped || followers != 0 else { return }
    result.notes.append(
      "the data after the image moves by \(followers == 0 ? shift : followers) bytes;"
        + " offsets in MakerNotes may point to it"
    )
  }

  /// Whether the container directory gives the length of the primary image.
  ///
  /// Most give 0 or none.
  private var listsOwnLength: Bool {
    header.xmp.contains { block in
      let length = ContainerDirectory(block)?.items.first?.length
      return length.flatMap { Int($0.value) } == header.container.end
    }
  }

  private func rewriteThumbnails(_ bytes: [UInt8], _ result: inout Result) -> [Edit] {
    var edits: [Edit] = []
    for thumbnail in thumbnails {
      guard
        let segment = header.container.segments.first(where: {
          $0.range.contains(thumbnail.block.range.lowerBound)
        })
      else { continue }
      let rewrite = ThumbnailRewriter(
        thumbnail: thumbnail,
        transform: thumbnail.size.map { header.transform(ofThumbnail: $0, with: raster.transform) }
          ?? raster.transform,
        segment: segment,
        options: options
      ).rewrite(bytes)
      edits += rewrite.edits
      if let transformed = rewrite.transformed { result.transformed.append(transformed) }
      if let note = rewrite.note { result.notes.append(note) }
      if let tones = rewrite.tones { result.thumbnailTones.append(tones) }
      result.images.append(EmbeddedImage(thumbnail, rewrite.disposition))
    }
    return edits
  }
}
