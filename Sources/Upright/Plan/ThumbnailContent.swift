internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// The comparison of what an image and its thumbnail show (specification, section 6).
///
/// A program that rotates the image and keeps the thumbnail leaves a thumbnail that shows the image in another
/// orientation. Dimensions do not reveal that for 180° and flips.
enum ThumbnailContent {
  /// The minimum correlation of a thumbnail that shows the image in another orientation.
  private static let minCorrelation: Float = 0.85
  /// By how much that correlation exceeds the one of the thumbnail as it is stored.
  ///
  /// No correct file that was seen comes near either limit (Tests/README.md, Stale tags).
  private static let minMargin: Float = 0.15

  /// Returns the transform of the thumbnail that clearly shows the image better than the thumbnail as it is; nil if
  /// none or several do.
  static func misfit(_ image: ToneGrid, _ thumbnail: ToneGrid) -> OrientationTransform? {
    let asStored = image.correlation(with: thumbnail, .none)
    guard asStored < 1 - minMargin else { return nil }
    var best = (transform: OrientationTransform.none, correlation: asStored)
    for transform in OrientationTransform.allCases {
      let correlation = image.correlation(with: thumbnail, transform)
      if correlation > best.correlation { best = (transform, correlation) }
    }
    guard best.correlation >= minCorrelation, best.correlation - asStored >= minMargin else {
      return nil
    }
    return best.transform
  }

  /// Returns the transform after which a thumbnail of an upright image would show it upright, too; nil if it does
  /// already, or if that is unknown.
  static func misfit(_ header: Header, _ file: [UInt8], _ options: Options) -> OrientationTransform?
  {
    // Thumbnails are small, so images without one that can be compared are not decoded.
    let thumbnails = header.exif.compactMap {
      block -> (tones: ToneGrid, own: OrientationTransform?)? in
      guard let thumbnail = Thumbnail(block, file.span),
        case .jpeg(let header?) = thumbnail.content,
        let tones = tones(header, thumbnail.source(file), options)
      else { return nil }
      let own = block.integer(.ifd1, ExifTag.orientation, file.span).flatMap { Int(exactly: $0) }
      return (tones, own.flatMap(Orientation.init(rawValue:))?.transform)
    }
    guard !thumbnails.isEmpty, let image = tones(header, file, options) else { return nil }
    // A thumbnail may have an Orientation of its own.
    return thumbnails.lazy.compactMap { thumbnail in
      misfit(image, thumbnail.tones).flatMap { $0 == thumbnail.own ? nil : $0 }
    }.first
  }

  private static func tones(_ header: Header, _ file: [UInt8], _ options: Options) -> ToneGrid? {
    guard !header.frame.process.isArithmetic, header.isDecodable,
      DecodingLimits(options, size: file.count).refusal(header, isReencoded: false) == nil
    else { return nil }
    return try? ImageDecoding(header.container, header.frame, file)
      .coefficients(transform: .none).0.tones
  }

  /// Returns the evidence, or nil if image and thumbnail fit or either is unknown.
  static func evidence(_ image: ToneGrid?, _ thumbnails: [ToneGrid]) -> TagEvidence? {
    image.flatMap { image in thumbnails.lazy.compactMap { misfit(image, $0) }.first }.map {
      TagEvidence(
        .thumbnailContent,
        "the thumbnail shows the image in another orientation (\($0) to match)"
      )
    }
  }
}
