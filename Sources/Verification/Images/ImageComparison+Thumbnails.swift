internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import Upright

extension ImageComparison {
  /// Compares the thumbnails, and keeps them for the comparison of their segments.
  mutating func compareThumbnails() -> ([Verdict.Image], [Observation]) {
    var images: [Verdict.Image] = []
    var observations: [Observation] = []
    for (index, block) in old.exif.enumerated() {
      if let problem = Thumbnail.misplacement(block, files.original.span) {
        observations.append(.note(.thumbnailKept, problem))
      }
      let pair = ThumbnailPair(
        old: Thumbnail(block, files.original.span),
        new: index < new.exif.count ? Thumbnail(new.exif[index], files.result.span) : nil
      )
      let (image, found) = compare(pair)
      if isStale(pair) {
        leftovers.append(
          RegisteredData(
            kind: "thumbnail",
            name: "thumbnail that cannot be transformed",
            effect: .stale,
            offset: pair.old?.range.lowerBound ?? block.range.lowerBound
          )
        )
      }
      thumbnails.append(pair)
      if let image { images.append(image) }
      observations += found
    }
    return (images, observations)
  }

  /// Returns whether a thumbnail was kept that no longer fits the image.
  private func isStale(_ pair: ThumbnailPair) -> Bool {
    guard transform != .none, let one = pair.old, let other = pair.new,
      files.isEqual(one.range, other.range)
    else { return false }
    return reasonToFit(one, other) == nil && obstacle(one) != nil
  }

  /// Returns the transform of a smaller rendition of the image: that of the image, or only that of the displayed image if
  /// the rendition is already upright, because it has clearly the shape of the upright image and not of the stored one.
  func transform(ofRendition size: PixelSize) -> OrientationTransform {
    let (image, own) = (old.frame.size, Double(size.width) / Double(size.height))
    let ratio = Double(image.width) / Double(image.height)
    let isUpright =
      old.transform.transposes && abs(own * ratio - 1) < 0.03 && abs(own / ratio - 1) > 0.1
    return isUpright ? old.displayed(transform) : transform
  }

  private func compare(_ pair: ThumbnailPair) -> (Verdict.Image?, [Observation]) {
    guard let one = pair.old else { return (nil, []) }
    guard let other = pair.new else {
      let text = "the thumbnail of \(one.range.count) bytes is missing or cannot be found"
      return (nil, [.finding(.thumbnailLost, text, original: one.range.lowerBound)])
    }
    if files.isEqual(one.range, other.range) { return (nil, checkKept(one, other)) }
    func finding(_ code: Verdict.Finding.Code.Known, _ text: String) -> Observation {
      .finding(
        code,
        text,
        original: one.range.lowerBound,
        result: other.range.lowerBound
      )
    }
    switch (one.content, other.content) {
    case (.jpeg(let a?), .jpeg(let b?)):
      // A thumbnail that is already upright is compared under the transform of the displayed image, if any.
      let own = transform(ofRendition: a.frame.size)
      do throws(UprightError) {
        let (image, found) = try embedded(
          .thumbnail,
          a,
          b,
          own == .none ? transform : own,
          in: sources(one, other)
        ).compareWithSegments()
        return (placed(image, one, other), found.map { placed($0, one, other) })
      } catch {
        let text = "the thumbnail cannot be compared: \(error.message)"
        return (nil, [finding(.thumbnailDamaged, text)])
      }
    case (.pixels(let size), .pixels):
      let change = Observation.difference("thumbnail.pixels", one.range, other.range)
      if arePixels(files.result[other.range], of: one, size) { return (nil, [change]) }
      let text = "the pixels of the thumbnail are not the transformed pixels of the original"
      return (nil, [finding(.thumbnailChanged, text), change])
    default: return (nil, [finding(.thumbnailChanged, "the thumbnail differs")])
    }
  }

  /// Returns the bytes that two thumbnails are in.
  private func sources(_ one: Thumbnail, _ other: Thumbnail) -> ComparedFiles {
    ComparedFiles(original: one.source(files.original), result: other.source(files.result))
  }

  /// Returns an image with the places of its thumbnail in the files.
  private func placed(
    _ image: Verdict.Image,
    _ one: Thumbnail,
    _ other: Thumbnail
  ) -> Verdict.Image {
    var image = image
    if one.stream != nil { image.original = one.range }
    if other.stream != nil { image.result = other.range }
    return image
  }

  /// Returns an observation with the places of its thumbnail in the files, if it counts in a stream of its own.
  private func placed(
    _ observation: Observation,
    _ one: Thumbnail,
    _ other: Thumbnail
  ) -> Observation {
    func placed(_ finding: Verdict.Finding) -> Verdict.Finding {
      var finding = finding
      if one.stream != nil { finding.originalOffset = one.range.lowerBound }
      if other.stream != nil { finding.resultOffset = other.range.lowerBound }
      return finding
    }
    switch observation {
    case .finding(let finding): return .finding(placed(finding))
    case .note(let note): return .note(placed(note))
    case .difference(var difference):
      if one.stream != nil { difference.original = one.range }
      if other.stream != nil { difference.result = other.range }
      return .difference(difference)
    case .unfit: return observation
    }
  }

  /// Returns whether bytes begin with the transformed pixels of a thumbnail, of three bytes each.
  private func arePixels(
    _ bytes: ArraySlice<UInt8>,
    of thumbnail: Thumbnail,
    _ size: PixelSize
  ) -> Bool {
    let (columns, rows) = (size.width, size.height)
    let width = transform.size(of: size).width
    let (start, target) = (thumbnail.range.lowerBound, bytes.startIndex)
    guard bytes.count >= columns * rows * 3 else { return false }
    for row in 0..<rows {
      for column in 0..<columns {
        let place = transform.destination(column: column, row: row, columns: columns, rows: rows)
        let (a, b) = (
          start + (row * columns + column) * 3, target + (place.row * width + place.column) * 3
        )
        guard files.original[a..<a + 3] == bytes[b..<b + 3] else { return false }
      }
    }
    return true
  }

  /// Checks a thumbnail that was copied although the image was transformed.
  private func checkKept(_ one: Thumbnail, _ other: Thumbnail) -> [Observation] {
    guard transform != .none else { return [] }
    let (start, newStart) = (one.range.lowerBound, other.range.lowerBound)
    if let reason = reasonToKeep(one, other) {
      return [.note(.thumbnailKept, reason, original: start, result: newStart)]
    }
    let text = "the thumbnail was not transformed and shows the image as it was stored"
    return [.finding(.thumbnailNotTransformed, text, original: start, result: newStart)]
  }

  private func reasonToKeep(_ one: Thumbnail, _ other: Thumbnail) -> String? {
    reasonToFit(one, other)
      ?? obstacle(one).map { "\($0); it is kept and shows the image as it was stored" }
  }

  /// Returns why a thumbnail fits the transformed image although it is unchanged; nil if it does not.
  private func reasonToFit(_ one: Thumbnail, _ other: Thumbnail) -> String? {
    if transform.transposes, let size = one.size,
      (size.width > size.height) != (old.frame.width > old.frame.height)
    {
      return "the thumbnail was already upright and is unchanged"
    }
    if looksSameTransformed(one, other) {
      return "the thumbnail is unchanged and looks the same when transformed"
    }
    let stored = other.block.integer(.ifd1, ExifTag.orientation, files.result.span)
    if let stored, stored == old.orientation.usable.map({ Int64($0.rawValue) }) {
      return "the thumbnail is unchanged; its Orientation tag shows it upright"
    }
    return nil
  }

  /// Returns why the original's thumbnail cannot be transformed, or nil if it can.
  private func obstacle(_ thumbnail: Thumbnail) -> String? {
    switch thumbnail.content {
    case .jpeg(let header?):
      let files = ComparedFiles(
        original: thumbnail.source(files.original),
        result: thumbnail.source(files.original)
      )
      let image = embedded(.thumbnail, header, header, transform, in: files)
      guard image.isDecodable else { return "the thumbnail cannot be decoded" }
      if image.cannotBeReencoded { return "the thumbnail cannot be re-encoded" }
      // A segment has at most 65,533 bytes, and a thumbnail that becomes longer may have to move.
      let block = thumbnail.block
      let start = block.gaps.last?.upperBound ?? block.range.lowerBound
      let isFull = block.range.upperBound - start + thumbnail.range.count > 65_527
      return isFull ? "the Exif segment may have no room for the transformed thumbnail" : nil
    case .pixels: return nil
    case .jpeg(nil), .other: return "the thumbnail cannot be read"
    }
  }

  private func looksSameTransformed(_ one: Thumbnail, _ other: Thumbnail) -> Bool {
    switch (one.content, other.content) {
    case (.jpeg(let a?), .jpeg(let b?)):
      embedded(.thumbnail, a, b, transform, in: sources(one, other)).looksSameTransformed
    case (.pixels(let size), .pixels):
      transform.size(of: size) == size
        && arePixels(files.original[one.range], of: one, size)
    default: false
    }
  }
}
