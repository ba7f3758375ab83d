internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Transforms the primary image of a file and all data that describes it.
///
/// The order is: secondary images, whose lengths may be in XMP; metadata and thumbnails, which are in the segments of the
/// primary image; the scans of the primary image, which compensate the change of its length; and the index with all
/// offsets.
struct FileRewriter {
  let header: Header
  /// The transform of the primary image.
  let raster: RasterTransform
  let options: Options

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
    var metadata = MetadataRewriter(header: header, raster: raster, options: options)
    metadata.itemLengths = secondary.lengths
    metadata.removedItems = Set(secondary.removed.compactMap { $0.item })
    metadata.losesGainMap = secondary.losesGainMap
    var (edits, notes) = metadata.edits(bytes.span)
    result.notes += notes
    if options.contentCredentials == .keep, !header.credentialSegments(bytes.span).isEmpty {
      result.notes.append("the content credentials are kept but no longer match the file")
    }
    let index = MultiPictureIndex(header.container, bytes.span)
    let removed = secondary.removed.map { $0.range.lowerBound }
    var others = credentialEdits(bytes.span)
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
    for block in header.exif {
      guard let thumbnail = Thumbnail(block, bytes.span),
        let segment = header.container.segments.first(where: {
          $0.range.contains(block.range.lowerBound)
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
      result.images.append(
        EmbeddedImage(
          role: .thumbnail,
          range: thumbnail.range,
          width: thumbnail.size?.width,
          height: thumbnail.size?.height,
          disposition: rewrite.disposition
        )
      )
    }
    return edits
  }

  /// Returns the edits of a tag change, with those that it requires elsewhere in the file.
  static func changingTag(
    _ tagEdits: [Edit],
    _ header: Header,
    _ options: Options,
    _ bytes: [UInt8]
  ) -> [Edit] {
    let rewriter = FileRewriter(
      header: header,
      raster: RasterTransform(header, .none, partialMCUs: .lossless),
      options: options
    )
    var edits = tagEdits + rewriter.credentialEdits(bytes.span)
    // The data after the image must not move.
    if header.container.end < bytes.count, edits.totalShift < 0,
      let end = header.container.endOfImageOffset
    {
      let fill = [UInt8](repeating: 0xFF, count: -edits.totalShift)
      edits.append(Edit(end..<end, with: fill, field: Edit.Field("fill")))
    }
    return edits
  }

  /// Returns the removal of content credentials if the options request it.
  private func credentialEdits(_ bytes: Span<UInt8>) -> [Edit] {
    guard options.contentCredentials == .strip else { return [] }
    return header.credentialSegments(bytes).map {
      Edit($0.range, with: [], field: Edit.Field("content-credentials", new: "removed"))
    }
  }
}

extension RedrawReport {
  /// Creates the report; nil if the image was not re-encoded.
  fileprivate init?(_ rewritten: ImageRewriter.Result) {
    guard let distortion = rewritten.distortion else { return nil }
    let scans = rewritten.edits.filter { $0.content == .entropyCodedData }
    self.init(
      psnr: distortion.psnr,
      largestError: distortion.largestError,
      exceptions: rewritten.transformed.exceptions?.count ?? 0,
      exceptionBytes: rewritten.transformed.exceptions?.serialized.count ?? 0,
      sizeBefore: scans.reduce(0) { $0 + $1.range.count },
      sizeAfter: scans.reduce(0) { $0 + $1.replacement.count }
    )
  }
}
