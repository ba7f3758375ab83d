internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Transforms the primary image of a file and all data that describes it.
///
/// The order is: secondary images, whose lengths may be in XMP; metadata and thumbnails, which are in the segments of the
/// primary image; the scans of the primary image, which compensate the change of its length; and the index with all
/// offsets.
struct PhotoTransformer {
  let metadata: MetadataUpdater
  let thumbnails: [Thumbnail]
  let options: Options

  var header: Header { metadata.header }
  var raster: RasterTransform { metadata.raster }

  /// What is done to one kind of data in the file.
  struct Part {
    var edits: [Edit] = []
    var notes: [Note] = []
    var images: [EmbeddedImage] = []
    /// The images whose scans were encoded again; those in segments of others come first.
    var transformed: [TransformedImage] = []
    /// The tones of thumbnails.
    var tones: [ToneGrid] = []
    /// Returns the edits together with others of the whole file; nil if the data after the image must not move.
    var adding: ((_ others: [Edit]) -> [Edit]?)?
    /// The distortion of the primary image, if it was re-encoded.
    var redraw: RedrawReport?
    /// The evidence against the tag that the tones show.
    var evidence: TagEvidence?
  }

  /// Returns what is done to the file; `removals` are those of undo data that no longer fits.
  func rewrite(_ bytes: [UInt8], removals: [Edit]) throws(ImageTransformer.Failure) -> Part {
    let secondary = try secondaryImages(bytes)
    var metadata = metadata
    metadata.update(secondary, bytes.span)
    let index = MultiPictureIndex(header.container, bytes.span)
    let thumbnails =
      raster.isCropped
      ? NonExifThumbnails(header: header).removed(bytes.span) : thumbnails(bytes)
    let others = [
      credentials(bytes.span), references(to: secondary, index, bytes.span), thumbnails,
    ]
    let image = try ImageTransformer(
      raster: raster,
      options: options,
      measuresTones: !thumbnails.tones.isEmpty
    ).rewrite(bytes, room: room(bytes, (metadata.edits + others.merged.edits).totalShift))
    let renewed = raster.isCropped ? renewedThumbnails(bytes, image.edits) : Part()
    let segments = (others + [primary(image), renewed]).merged
    func complete(_ added: [Edit]) throws(ImageTransformer.Failure) -> Part {
      var (metadata, segments) = (metadata, segments)
      if let end = header.container.endOfImageOffset, let room = room(bytes, added.totalShift) {
        segments.edits.compensate(-room, before: end)
      }
      segments.edits += added
      let own = header.edits(metadata.edits + segments.edits) { length in
        metadata.itemLengths[0] = (header.container.end, length)
        metadata.update(bytes.span)
        return metadata.edits + segments.edits
      }
      let described = Part(edits: metadata.edits, notes: metadata.notes)
      var file = [secondary.part, described, segments, trailer(secondary, bytes.span)].merged
      file.notes += try moves(bytes, own.totalShift, file)
      file.edits +=
        index?.edits(following: file.edits, removing: secondary.starts, bytes.span) ?? []
      if metadata.keepsTag {
        let tag = Change.Field.thumbnailOrientation.rawValue
        file.edits.removeAll { $0.field.identifier == tag }
      }
      return file
    }
    var file = try complete(removals)
    let kept = file.notes.filter { $0.code != .dataMoved }
    file.adding = {
      // Numbers for which a packet has no room would be stale.
      guard let part = try? complete(removals + $0),
        part.notes.filter({ $0.code != .dataMoved }) == kept
      else { return nil }
      return part.edits
    }
    file.redraw = RedrawReport(image)
    file.evidence = ThumbnailContent.evidence(image.tones, thumbnails.tones)
    return file
  }

  private func credentials(_ bytes: Span<UInt8>) -> Part {
    let policy = options.contentCredentials
    return Part(edits: policy.edits(header, bytes), notes: policy.notes(header, bytes))
  }

  /// Removes what refers to removed images, except in XMP.
  private func references(
    to secondary: Secondary,
    _ index: MultiPictureIndex?,
    _ bytes: Span<UInt8>
  ) -> Part {
    var part = Part()
    if let removal = index?.removal(removing: secondary.starts) { part.edits.append(removal) }
    if secondary.losesGainMap {
      // The version segments of gain maps (ISO 21496-1).
      let versions = header.container.segments(.isoGainMap, in: bytes)
      part.edits += versions.map { .removal($0.range, "iso-gain-map") }
    }
    return part
  }

  private func primary(_ image: ImageTransformer.Result) -> Part {
    var part = Part(edits: image.edits, transformed: [image.transformed])
    part.notes = image.transformed.strayByteNotes()
    if !header.container.isComplete {
      part.notes.append(Note(.noEndOfImage, "the image has no EOI marker, but is complete"))
    }
    return part
  }

  /// Describes what is kept of the data after the image.
  private func trailer(_ secondary: Secondary, _ bytes: Span<UInt8>) -> Part {
    var part = Part()
    if case .trim = raster.partialMCUs,
      secondary.part.images.contains(where: { $0.role == .gainMap })
    {
      part.notes.append(
        Note(
          .imageKept,
          "the gain map is not trimmed with the image and no longer matches its edges"
        )
      )
    }
    if let video = EmbeddedImage.video(after: header.container.end, bytes) {
      part.images = [video]
      if !raster.isCropped, header.displayed(raster.transform) != .none {
        part.notes.append(Note(.imageKept, "the video of the motion photo is not changed with it"))
      }
    }
    return part
  }

  /// Returns by how many bytes the scans should change in length to compensate `shift`, the change by other edits; nil
  /// if the data after the image may move.
  func room(_ bytes: [UInt8], _ shift: Int) -> Int? {
    let end = header.container.end
    if end == bytes.count { return nil }
    // A crop removes many bytes. They are replaced with fill bytes only if offsets would break.
    if raster.isCropped, !Trailers.hasAbsoluteOffsets(bytes, after: end) { return nil }
    return -shift
  }

  /// Returns a note if data after the image moves, and throws if that is known to break offsets.
  private func moves(
    _ bytes: [UInt8],
    _ shift: Int,
    _ file: Part
  ) throws(ImageTransformer.Failure) -> [Note] {
    let last = file.images.filter { $0.role != .thumbnail }.map { $0.range.upperBound }.max()
    let end = max(header.container.end, last ?? 0)
    let followers = end < bytes.count ? file.edits.totalShift : 0
    guard header.container.end < bytes.count, shift != 0 || followers != 0 else { return [] }
    if Trailers.hasAbsoluteOffsets(bytes, after: header.container.end) {
      throw .refused(.absoluteOffsets)
    }
    // The images in an index are updated, so a crop needs no note about them.
    guard !raster.isCropped || followers != 0 else { return [] }
    return [.dataMoved("the data after the image moves", by: followers == 0 ? shift : followers)]
  }
}

extension [PhotoTransformer.Part] {
  var merged: PhotoTransformer.Part {
    reduce(into: PhotoTransformer.Part()) { all, part in
      all.edits += part.edits
      all.notes += part.notes
      all.images += part.images
      all.transformed += part.transformed
      all.tones += part.tones
    }
  }
}
