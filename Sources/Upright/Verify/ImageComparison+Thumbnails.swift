internal import ImageOrientation
internal import JPEGCore

extension ImageComparison {
  /// The thumbnails of an Exif block in both files.
  struct ThumbnailPair {
    var old: Thumbnail?
    var new: Thumbnail?
  }

  /// Compares the thumbnails, and keeps them for the comparison of their segments.
  mutating func compareThumbnails() -> ([Verdict.Image], [Observation]) {
    var images: [Verdict.Image] = []
    var observations: [Observation] = []
    for (index, block) in old.exif.enumerated() {
      if let problem = Thumbnail.misplacement(block, files.original.span) {
        observations.append(.note("thumbnail-kept", problem))
      }
      let pair = ThumbnailPair(
        old: Thumbnail(block, files.original.span),
        new: index < new.exif.count ? Thumbnail(new.exif[index], files.result.span) : nil
      )
      let (image, found) = compare(pair)
      thumbnails.append(pair)
      if let image { images.append(image) }
      observations += found
    }
    return (images, observations)
  }

  private func compare(_ pair: ThumbnailPair) -> (Verdict.Image?, [Observation]) {
    guard let one = pair.old else { return (nil, []) }
    guard let other = pair.new else {
      let text = "the thumbnail of \(one.range.count) bytes is missing or cannot be found"
      return (nil, [.finding("thumbnail-lost", text, original: one.range.lowerBound)])
    }
    if files.isEqual(one.range, other.range) { return (nil, checkKept(one, other)) }
    func finding(_ identifier: String, _ text: String) -> Observation {
      .finding(
        identifier,
        text,
        original: one.range.lowerBound,
        result: other.range.lowerBound
      )
    }
    switch (one.content, other.content) {
    case (.jpeg(let a?), .jpeg(let b?)):
      // A thumbnail that is already upright is compared under the transform of the displayed image, if any.
      let own = old.transform(ofThumbnail: a.frame.size, with: transform)
      do throws(Verifier.Unreadable) {
        return try embedded(.thumbnail, a, b, own == .none ? transform : own)
          .compareWithSegments()
      } catch {
        let text = "the thumbnail cannot be compared: \(error.error.message)"
        return (nil, [finding("thumbnail-damaged", text)])
      }
    case (.pixels(let size), .pixels):
      let change = Observation.difference("thumbnail.pixels", one.range, other.range)
      if files.result[other.range].starts(with: transformed(one, size)) { return (nil, [change]) }
      let text = "the pixels of the thumbnail are not the transformed pixels of the original"
      return (nil, [finding("thumbnail-changed", text), change])
    default: return (nil, [finding("thumbnail-changed", "the thumbnail differs")])
    }
  }

  private func transformed(_ thumbnail: Thumbnail, _ size: PixelSize) -> [UInt8] {
    let pixels = files.original[thumbnail.range].prefix(size.width * size.height * 3)
    return PixelTransform.transformed(pixels, size, by: transform)
  }

  /// Checks a thumbnail that was copied although the image was transformed.
  private func checkKept(_ one: Thumbnail, _ other: Thumbnail) -> [Observation] {
    guard transform != .none else { return [] }
    let (start, newStart) = (one.range.lowerBound, other.range.lowerBound)
    if let reason = reasonToKeep(one, other) {
      return [.note("thumbnail-kept", reason, original: start, result: newStart)]
    }
    let text = "the thumbnail was not transformed and shows the image as it was stored"
    return [.finding("thumbnail-not-transformed", text, original: start, result: newStart)]
  }

  private func reasonToKeep(_ one: Thumbnail, _ other: Thumbnail) -> String? {
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
    return obstacle(one).map { "\($0); it is kept and shows the image as it was stored" }
  }

  /// Returns why the original's thumbnail cannot be transformed, or nil if it can.
  private func obstacle(_ thumbnail: Thumbnail) -> String? {
    switch thumbnail.content {
    case .jpeg(let header?):
      let image = embedded(.thumbnail, header, header, transform)
      guard image.isDecodable else { return "the thumbnail cannot be decoded" }
      if image.cannotBeReencoded { return "the thumbnail cannot be re-encoded" }
      // A segment has at most 65,533 bytes, and a thumbnail that becomes longer may have to move.
      let isFull = thumbnail.block.range.count + thumbnail.range.count > 65_527
      return isFull ? "the Exif segment may have no room for the transformed thumbnail" : nil
    case .pixels: return nil
    case .jpeg(nil), .other: return "the thumbnail cannot be read"
    }
  }

  private func looksSameTransformed(_ one: Thumbnail, _ other: Thumbnail) -> Bool {
    switch (one.content, other.content) {
    case (.jpeg(let a?), .jpeg(let b?)):
      embedded(.thumbnail, a, b, transform).looksSameTransformed
    case (.pixels(let size), .pixels):
      size.transformed(by: transform) == size
        && files.original[one.range].starts(with: transformed(one, size))
    default: false
    }
  }
}
