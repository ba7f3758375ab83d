internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

struct ThumbnailTransformer {
  let thumbnail: Thumbnail
  /// The transform; `.none` if the thumbnail is already upright.
  let transform: OrientationTransform
  let segment: Segment
  let options: Options

  func rewrite(_ bytes: [UInt8]) -> PhotoTransformer.Part {
    if transform == .none {
      let text = "the thumbnail is already upright and is kept"
      return PhotoTransformer.Part(thumbnail, .kept, note: Note(.thumbnailKept, text))
    }
    switch thumbnail.content {
    case .jpeg(let header?): return rewrite(header, bytes)
    case .pixels(let size): return rewritePixels(size, bytes)
    case .jpeg(nil), .other: return stale("the thumbnail cannot be read")
    }
  }

  private func stale(_ why: String) -> PhotoTransformer.Part {
    let text = "\(why); it is kept and shows the image as it was stored"
    return PhotoTransformer.Part(thumbnail, .stale, note: Note(.thumbnailKept, text))
  }

  private func rewrite(_ header: Header, _ bytes: [UInt8]) -> PhotoTransformer.Part {
    let raster = RasterTransform(header, transform, partialMCUs: .redraw(.own))
    let rewritten: ImageTransformer.Result
    do throws(ImageTransformer.Failure) {
      rewritten = try ImageTransformer(raster: raster, options: options, measuresTones: true)
        .rewrite(thumbnail.source(bytes), room: 0)
    } catch {
      return stale("the thumbnail cannot be transformed: \(error.text)")
    }
    let placed =
      if let stream = thumbnail.stream {
        place(rewritten.edits.applied(to: stream), bytes)
      } else {
        place(rewritten.edits.prefixed("thumbnail"), bytes)
      }
    guard let placed else {
      return stale("the Exif segment has no room for the transformed thumbnail")
    }
    var part = PhotoTransformer.Part(
      thumbnail,
      raster.isLossless ? .transformed : .reencoded,
      placed + thumbnail.tagEdits(raster.transformed.size, bytes.span)
    )
    let isInPlace = placed.contains { $0.content == .entropyCodedData }
    if isInPlace { part.transformed = [rewritten.transformed] }
    part.tones = [rewritten.tones].compactMap { $0 }
    return part
  }

  /// Returns the edits of a transformed thumbnail, at the end of the Exif block if it became longer; nil if the segment
  /// has no room.
  private func place(_ raster: [Edit], _ bytes: [UInt8]) -> [Edit]? {
    let growth = raster.totalShift
    guard growth > 0 else { return raster }
    if thumbnail.range.upperBound == thumbnail.block.range.upperBound {
      return place(raster, growingBy: growth, thumbnail.range.count + growth, bytes)
    }
    let moved = raster.map { $0.moved(by: -thumbnail.range.lowerBound) }
      .applied(to: Array(bytes[thumbnail.range]))
    return move(moved, bytes)
  }

  /// Returns the edits that write a transformed thumbnail that was not in one piece.
  private func place(_ content: [UInt8], _ bytes: [UInt8]) -> [Edit]? {
    let growth = max(0, content.count - thumbnail.count)
    let isLast = thumbnail.range.upperBound == thumbnail.block.range.upperBound
    guard growth == 0 || isLast else { return move(content, bytes) }
    let edits = thumbnail.replacement(content, Edit.Field("thumbnail"))
    return place(edits, growingBy: growth, content.count, bytes)
  }

  /// Returns the edits that write a transformed thumbnail at the end of the Exif block.
  private func move(_ content: [UInt8], _ bytes: [UInt8]) -> [Edit]? {
    let block = thumbnail.block
    let end = block.range.upperBound
    let edit = Edit(end..<end, with: content, field: Edit.Field("thumbnail.moved"))
    guard let offset = block.entry(.ifd1, ExifTag.thumbnailOffset) else { return nil }
    let place = [block.edit(offset, to: Int64(block.count), bytes.span)].compactMap { $0 }
    return self.place([edit] + place, growingBy: content.count, content.count, bytes)
  }

  /// Returns edits with those of the lengths of the thumbnail and of the last segment of the block.
  private func place(
    _ edits: [Edit],
    growingBy growth: Int,
    _ newLength: Int,
    _ bytes: [UInt8]
  ) -> [Edit]? {
    let block = thumbnail.block
    guard let length = block.entry(.ifd1, ExifTag.thumbnailLength),
      segment.range.count - 2 + growth <= 65_535
    else { return nil }
    var edits = edits
    if let edit = block.edit(length, to: Int64(newLength), bytes.span) { edits.append(edit) }
    if growth > 0 {
      edits.append(segment.lengthEdit(growingBy: growth, field: "exif.segment-length"))
    }
    return edits
  }

  private func rewritePixels(_ size: PixelSize, _ bytes: [UInt8]) -> PhotoTransformer.Part {
    let start = thumbnail.range.lowerBound
    let range = start..<start + size.width * size.height * 3
    let edit = Edit(
      range,
      with: PixelTransform.transformed(bytes[range], size, by: transform),
      field: Edit.Field("thumbnail.pixels"),
      content: .pixels(width: size.width, height: size.height, transform: transform)
    )
    let tags = thumbnail.tagEdits(size.transformed(by: transform), bytes.span)
    return PhotoTransformer.Part(thumbnail, .transformed, [edit] + tags)
  }
}
