internal import ImageOrientation
internal import JPEGCore

/// The transform of one image of a file, with its window and its partial-MCU policy.
struct RasterTransform {
  /// The policy for partial MCUs that the transform moves to the left or the top.
  enum PartialMCUPolicy: Hashable {
    /// There are none.
    case lossless
    /// They are cut off.
    case trim
    /// The affected components are re-encoded.
    case redraw(Redraw.Quality)
  }

  var container: Container
  let frame: Frame
  let transform: OrientationTransform
  let partialMCUs: PartialMCUPolicy
  /// The requested part of the stored image.
  let requested: PixelRectangle
  /// The part that is kept: smaller than ``requested`` only if partial MCUs are cut off.
  let window: PixelRectangle

  init(
    _ header: borrowing Header,
    _ transform: OrientationTransform,
    window: PixelRectangle? = nil,
    partialMCUs: PartialMCUPolicy
  ) {
    container = header.container
    frame = header.frame
    self.transform = transform
    requested = window ?? header.frame.bounds
    self.partialMCUs =
      header.frame.isLossless(requested, under: transform) ? .lossless : partialMCUs
    if case .trim = self.partialMCUs {
      self.window = header.frame.snapped(requested, for: transform, .shrink)
    } else {
      self.window = requested
    }
  }

  var transformed: Frame { frame.cropped(to: window).transformed(by: transform) }

  var isWhole: Bool { window == frame.bounds }

  /// Whether every coefficient of the window is kept.
  var isLossless: Bool { partialMCUs == .lossless }

  var isReencoded: Bool { if case .redraw = partialMCUs { true } else { false } }

  var start: Int { container.segments[0].range.lowerBound }

  var edges: Edges {
    switch partialMCUs {
    case .lossless: .lossless
    case .trim: .trimmed(TrimmedEdges(of: requested.size, besides: window.size))
    case .redraw: .reencoded(kept: keptComponents, of: frame.components.count)
    }
  }

  private var keptComponents: [Int] {
    let (source, window) = placedWindow
    let keeps = Redraw.isBlockAligned(
      frame.cropped(to: source),
      window: window,
      transform: transform
    )
    return keeps.indices.filter { keeps[$0] }
  }

  /// Whether only a part of the image is requested.
  var isCropped: Bool { requested != frame.bounds }

  /// The part of the stored image that is decoded for re-encoding.
  var source: PixelRectangle { isWhole ? window : frame.surroundings(of: window) }

  /// ``source``, and the window relative to it.
  private var placedWindow: (source: PixelRectangle, window: PixelRectangle) {
    let source = source
    var window = window
    (window.x, window.y) = (window.x - source.x, window.y - source.y)
    return (source, window)
  }

  func color(_ bytes: Span<UInt8>) -> Distortion.Color { container.color(frame, bytes) }

  func redraw(
    of image: borrowing SparseImage,
    color: Distortion.Color,
    _ tables: [[UInt16]],
    _ quality: Redraw.Quality,
    thinnedFrom: Int? = nil
  ) -> Redraw {
    let (source, window) = placedWindow
    return Redraw(
      of: image,
      frame: frame.cropped(to: source),
      tables: tables,
      window: window,
      transform: transform,
      color: color,
      quality: quality,
      thinnedFrom: thinnedFrom
    )
  }
}

extension Options.RedrawQuality {
  var quality: Redraw.Quality {
    switch self {
    case .standard: .standard
    case .compact: .compact
    case .max: .max
    }
  }
}
