internal import ImageOrientation
internal import JPEGCore

/// Compares the thumbnails of Exif's IFD1.
struct ThumbnailComparison {
  let old: Header
  let new: Header
  let transform: OrientationTransform
  let limits: DecodingLimits

  /// The result of the comparison.
  struct Result {
    var old: Thumbnail?
    var new: Thumbnail?
    /// The transform of the thumbnail.
    var transform = OrientationTransform.none
    var image: Verdict.Image?
  }

  /// Compares the thumbnails of all Exif blocks.
  func compare(_ ledger: inout Ledger) -> [Result] {
    var results: [Result] = []
    for (index, block) in old.exif.enumerated() {
      if let problem = Thumbnail.misplacement(block, ledger.original.span) {
        ledger.note("thumbnail-kept", problem)
      }
      results.append(compare(block, index < new.exif.count ? new.exif[index] : nil, &ledger))
    }
    return results
  }

  private func compare(
    _ block: TIFFBlock,
    _ partner: TIFFBlock?,
    _ ledger: inout Ledger
  ) -> Result {
    var result = Result()
    result.old = Thumbnail(block, ledger.original.span)
    result.new = partner.flatMap { Thumbnail($0, ledger.result.span) }
    guard let one = result.old else { return result }
    guard let other = result.new else {
      ledger.find(
        "thumbnail-lost",
        "the thumbnail of \(one.range.count) bytes is missing or cannot be found",
        original: one.range.lowerBound
      )
      return result
    }
    if ledger.isEqual(one.range, other.range) {
      judgeKept(one, other, &ledger)
      return result
    }
    switch (one.content, other.content) {
    case (.jpeg(let a?), .jpeg(let b?)):
      // A thumbnail that is already upright is compared under the transform of the displayed image, if any.
      let own = old.transform(ofThumbnail: a.frame.size, with: transform)
      let expected = own == .none ? transform : own
      let comparison = ImageComparison(
        old: a,
        new: b,
        role: .thumbnail,
        transform: expected,
        limits: limits
      )
      ledger.prefix = "thumbnail."
      do throws(Verifier.Unreadable) {
        result.image = try comparison.compare(&ledger)
        SegmentComparison(old: a, new: b, transform: expected, thumbnails: []).compare(&ledger)
      } catch {
        ledger.find(
          "thumbnail-damaged",
          "the thumbnail cannot be compared: \(error.error.message)",
          original: one.range.lowerBound,
          result: other.range.lowerBound
        )
      }
      ledger.prefix = ""
      result.transform = result.image?.transform ?? transform
    case (.pixels(let width, let height), .pixels):
      result.transform = transform
      let expected = transformed(ledger.original[one.range], width: width, height: height)
      if expected != ledger.result[other.range].prefix(expected.count) {
        ledger.find(
          "thumbnail-changed",
          "the pixels of the thumbnail are not the transformed pixels of the original",
          original: one.range.lowerBound,
          result: other.range.lowerBound
        )
      }
      ledger.differ("thumbnail.pixels", one.range, other.range)
    default:
      ledger.find(
        "thumbnail-changed",
        "the thumbnail differs",
        original: one.range.lowerBound,
        result: other.range.lowerBound
      )
    }
    return result
  }

  /// Returns pixels of three bytes, transformed.
  private func transformed(
    _ pixels: ArraySlice<UInt8>,
    width: Int,
    height: Int
  ) -> ArraySlice<UInt8> {
    let size = transform.size(width: width, height: height)
    var result = [UInt8](repeating: 0, count: width * height * 3)
    for row in 0..<height {
      for column in 0..<width {
        let place = transform.destination(column: column, row: row, columns: width, rows: height)
        for sample in 0..<3 {
          result[(place.row * size.width + place.column) * 3 + sample] =
            pixels[pixels.startIndex + (row * width + column) * 3 + sample]
        }
      }
    }
    return result[...]
  }

  /// Checks a thumbnail that was copied although the image was transformed.
  private func judgeKept(_ one: Thumbnail, _ other: Thumbnail, _ ledger: inout Ledger) {
    guard transform != .none else { return }
    if transform.transposes, let size = one.size,
      (size.width > size.height) != (old.frame.width > old.frame.height)
    {
      ledger.note(
        "thumbnail-kept",
        "the thumbnail was already upright and is unchanged",
        original: one.range.lowerBound,
        result: other.range.lowerBound
      )
      return
    }
    let stored = other.block.integer(.ifd1, ExifTag.orientation, ledger.result.span)
    let requested = old.orientation.usable.map { Int64($0.rawValue) }
    if looksSameTransformed(one, other, ledger) {
      ledger.note(
        "thumbnail-kept",
        "the thumbnail is unchanged and looks the same when transformed",
        original: one.range.lowerBound,
        result: other.range.lowerBound
      )
    } else if let stored, stored == requested {
      ledger.note(
        "thumbnail-kept",
        "the thumbnail is unchanged; its Orientation tag shows it upright",
        original: one.range.lowerBound,
        result: other.range.lowerBound
      )
    } else if let obstacle = obstacle(one, ledger) {
      ledger.note(
        "thumbnail-kept",
        "\(obstacle); it is kept and shows the image as it was stored",
        original: one.range.lowerBound,
        result: other.range.lowerBound
      )
    } else {
      ledger.find(
        "thumbnail-not-transformed",
        "the thumbnail was not transformed and shows the image as it was stored",
        original: one.range.lowerBound,
        result: other.range.lowerBound
      )
    }
  }

  /// Returns why the original's thumbnail cannot be transformed, or nil if it can.
  private func obstacle(_ thumbnail: Thumbnail, _ ledger: Ledger) -> String? {
    switch thumbnail.content {
    case .jpeg(let header?):
      let image = ImageComparison(
        old: header,
        new: header,
        role: .thumbnail,
        transform: transform,
        limits: limits
      )
      guard image.isDecodable(ledger) else { return "the thumbnail cannot be decoded" }
      if image.cannotBeReencoded(ledger) { return "the thumbnail cannot be re-encoded" }
      // A segment has at most 65,533 bytes, and a thumbnail that becomes longer may have to move.
      let isFull = thumbnail.block.range.count + thumbnail.range.count > 65_527
      return isFull ? "the Exif segment may have no room for the transformed thumbnail" : nil
    case .pixels: return nil
    case .jpeg(nil), .other: return "the thumbnail cannot be read"
    }
  }

  private func looksSameTransformed(_ one: Thumbnail, _ other: Thumbnail, _ ledger: Ledger) -> Bool
  {
    switch (one.content, other.content) {
    case (.jpeg(let a?), .jpeg(let b?)):
      ImageComparison(old: a, new: b, role: .thumbnail, transform: transform, limits: limits)
        .looksSameTransformed(ledger)
    case (.pixels(let width, let height), .pixels):
      transform.size(width: width, height: height) == (width, height)
        && transformed(ledger.original[one.range], width: width, height: height)
          .elementsEqual(ledger.original[one.range].prefix(width * height * 3))
    default: false
    }
  }
}
