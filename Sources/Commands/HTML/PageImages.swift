public import ArgumentParser
internal import FileSystem
internal import PhotoFiles
internal import Synchronization
internal import Upright

/// Which images a page shows.
public enum PageImages: String, CaseIterable, ExpressibleByArgument, Sendable {
  case none, embedded, all
}

/// Chooses what the page shows of a file, within bounds of bytes and time.
struct PageImageSource: ~Copyable, Sendable {
  /// An image of a row.
  struct Image: Sendable {
    var jpeg: [UInt8]
    /// Whether it was made from the image that the file stores; otherwise it is the embedded thumbnail.
    var isRendered: Bool
    fileprivate var share: Share
  }

  /// The kinds of files that have a share of the page's bytes, so that no kind takes the place of another.
  fileprivate enum Share: Int {
    case decision, reencoded, lossless

    /// How many bytes of images the page may have.
    var maxBytes: Int { self == .decision ? 5 << 19 : 5 << 18 }
    /// The longer side of a rendition.
    var maxSide: Int { self == .decision ? 320 : 160 }
  }

  /// The largest thumbnail that is shown, in bytes; Exif has no room for larger ones.
  private static let maxThumbnail = 1 << 16
  /// How long all threads together may make renditions.
  private static let maxTime = Duration.seconds(10)

  private let images: PageImages
  private let used = Mutex((bytes: SIMD4<Int>(), time: Duration.zero))

  init(_ images: PageImages) {
    self.images = images
  }

  /// Returns the image to show of a file, or nil where there is none or no room for it.
  func image(of report: FileReport, _ row: PageRow) -> Image? {
    guard images != .none, let share = Share(row) else { return nil }
    let (bytes, time) = used.withLock { $0 }
    guard bytes[share.rawValue] < share.maxBytes else { return nil }
    // The embedded thumbnail does not show whether the image itself is on its side.
    if share == .decision, let image = rendition(report, share, time) { return image }
    return thumbnail(report, share) ?? rendition(report, share, time)
  }

  /// Counts an image and returns whether there is room for it.
  func take(_ image: Image) -> Bool {
    used.withLock { used in
      let sum = used.bytes[image.share.rawValue] + image.jpeg.count
      guard sum <= image.share.maxBytes else { return false }
      used.bytes[image.share.rawValue] = sum
      return true
    }
  }

  private func thumbnail(_ report: FileReport, _ share: Share) -> Image? {
    guard let range = report.facts?.embeddedImages.first(where: { $0.role == .thumbnail })?.range,
      range.count <= Self.maxThumbnail,
      let reader = try? FileReader(report.output ?? report.path),
      let bytes = try? reader.read(at: range.lowerBound, count: range.count),
      bytes.starts(with: [0xFF, 0xD8, 0xFF])
    else { return nil }
    return Image(jpeg: bytes, isRendered: false, share: share)
  }

  private func rendition(_ report: FileReport, _ share: Share, _ time: Duration) -> Image? {
    guard images == .all, time < Self.maxTime else { return nil }
    let start = Syscalls.threadTime()
    defer {
      let spent = Syscalls.threadTime() - start
      used.withLock { $0.time += spent }
    }
    guard let file = try? readFile(report.output ?? report.path, limit: Preview.maxBytes),
      let jpeg = Preview.jpeg(of: file.bytes, maxSide: share.maxSide)
    else { return nil }
    return Image(jpeg: jpeg, isRendered: true, share: share)
  }
}

extension PageImageSource.Share {
  /// The share of a file, or nil where there is nothing to look at.
  fileprivate init?(_ row: PageRow) {
    switch row.kind {
    case .failed, .interrupted: return nil
    case .skipped: self = .decision
    case _ where row.needsDecision: self = .decision
    case .reencoded, .trimmed: self = .reencoded
    case .lossless, .converted, .reset: self = .lossless
    case .unchanged: return nil
    }
  }
}
