internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Transforms the primary image of a file and everything in the file that belongs to it.
///
/// The order matters: images after the primary one come first, because XMP may say how long they are; then
/// metadata and thumbnails, because they share the primary's length; then the primary's scans, which make up
/// for what the others took; and last the index, which says where everything is.
struct FileRewriter {
  let header: Header
  /// How the primary image is transformed.
  let raster: RasterTransform
  let options: Options

  /// All edits of the file, with what there is to report.
  struct Result {
    var edits: [Edit] = []
    /// The images whose scans were encoded again, those in the segments of others first.
    var transformed: [TransformedImage] = []
    /// What the redraw of the primary image changed.
    var redraw: RedrawReport?
    var images: [EmbeddedImage] = []
    var notes: [String] = []
  }

  /// Rewrites the file.
  ///
  /// - Throws: ``PictureRewriter/Failure``, when the primary image or one that is tied to its pixels cannot
  ///   be transformed.
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

    let rewritten = try ImageRewriter(raster: raster, options: options)
      .rewrite(bytes, room: room(bytes, (edits + others).totalShift))
    let stray = rewritten.transformed.info.strayByteCount
    if stray > 0 {
      let bytes = stray == 1 ? "1 stray byte" : "\(stray) stray bytes"
      result.notes.append("\(bytes) after the last MCU are kept")
    }
    if raster.isCropped { others += renewThumbnails(bytes, rewritten.edits, &result) }
    if listsOwnLength {
      // A longer number may itself make the packet longer, once.
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

  /// By how many bytes the primary image should change its length when the rest of it does by `shift`.
  ///
  /// - Returns: The number; nil when what follows may move.
  func room(_ bytes: [UInt8], _ shift: Int) -> Int? {
    let end = header.container.end
    if end == bytes.count { return nil }
    // A crop takes away much. Fill bytes instead are worth their room only where all else would break.
    if raster.isCropped, !SamsungTrailer.hasAbsoluteOffsets(bytes, after: end) { return nil }
    return -shift
  }

  /// Tells when bytes after the image move, and refuses where that is known to break something.
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
    // What an index names follows; a crop has nothing else to tell of it.
    guard !raster.isCropped || followers != 0 else { return }
    result.notes.append(
      "the data after the image moves by \(followers == 0 ? shift : followers) bytes;"
        + " offsets in MakerNotes may point to it"
    )
  }

  /// Whether the container directory gives the length of the primary image; most give 0 or nothing.
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

  /// The edits of a tag, with what they entail where the image stays as it is.
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
    // What follows the image stays where it is.
    if header.container.end < bytes.count, edits.totalShift < 0,
      let end = header.container.endOfImageOffset
    {
      let fill = [UInt8](repeating: 0xFF, count: -edits.totalShift)
      edits.append(Edit(end..<end, with: fill, field: Edit.Field("fill")))
    }
    return edits
  }

  /// The removal of content credentials, where that was asked for.
  private func credentialEdits(_ bytes: Span<UInt8>) -> [Edit] {
    guard options.contentCredentials == .strip else { return [] }
    return header.credentialSegments(bytes).map {
      Edit($0.range, with: [], field: Edit.Field("content-credentials", new: "removed"))
    }
  }
}

extension RedrawReport {
  /// What a redraw reports; nil when the image was not re-encoded.
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
