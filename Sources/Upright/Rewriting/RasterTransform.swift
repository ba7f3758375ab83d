internal import ImageOrientation
internal import JPEGCore

/// How one image of a file is transformed, which part of it is kept, and what becomes of its edges.
struct RasterTransform {
  /// What becomes of partial MCUs that the transform moves to the left or the top.
  enum PartialMCUPolicy {
    /// There are none.
    case lossless
    /// They are cut off.
    case trim
    /// The components that they hit are re-encoded.
    case redraw(Redraw.Quality)
  }

  let container: Container
  let frame: Frame
  let transform: OrientationTransform
  let partialMCUs: PartialMCUPolicy
  /// The part of the stored image that is requested for.
  let requested: PixelRectangle
  /// The part that is kept: less than what is requested for only where partial MCUs are cut off.
  let window: PixelRectangle

  /// - Parameters:
  ///   - header: The image's header.
  ///   - transform: How to transform it.
  ///   - window: The part of the stored image to keep; all of it unless given.
  ///   - partialMCUs: What to do about partial MCUs, if the transform moves any.
  init(
    _ header: Header,
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

  /// The frame of the transformed image.
  var transformed: Frame { frame.cropped(to: window).transformed(by: transform) }

  /// Whether all of the image is kept.
  var isWhole: Bool { window == frame.bounds }

  /// Whether every coefficient of what is kept stays what it is.
  var isLossless: Bool {
    if case .lossless = partialMCUs { return true }
    return false
  }

  /// Where the image begins in the file.
  var start: Int { container.segments[0].range.lowerBound }

  /// What becomes of the edges, for people.
  var edges: Edges {
    switch partialMCUs {
    case .lossless: .lossless
    case .trim:
      .trimmed(
        TrimmedEdges(
          columns: requested.width - window.width,
          rows: requested.height - window.height
        )
      )
    case .redraw: .reencoded(kept: keptComponents, of: frame.components.count)
    }
  }

  /// The components that a redraw transforms exactly.
  private var keptComponents: [Int] {
    let (source, window) = placedWindow
    let keeps = Redraw.isBlockAligned(
      frame.cropped(to: source),
      window: window,
      transform: transform
    )
    return keeps.indices.filter { keeps[$0] }
  }

  /// Whether only a part of the image is requested for.
  var isCropped: Bool { requested != frame.bounds }

  /// The part of the stored image that a redraw is made of.
  var source: PixelRectangle { isWhole ? window : frame.surroundings(of: window) }

  /// ``source``, and the window as seen from its corner.
  private var placedWindow: (source: PixelRectangle, window: PixelRectangle) {
    let source = source
    var window = window
    (window.x, window.y) = (window.x - source.x, window.y - source.y)
    return (source, window)
  }

  /// The redraw of the window.
  ///
  /// - Parameters:
  ///   - image: The coefficients of ``source``.
  ///   - color: What the components say of colours.
  ///   - tables: The quantization table of each component.
  ///   - quality: How closely to follow the original.
  ///   - thinnedFrom: The first zigzag position from which the faintest detail is left out, if any is.
  /// - Returns: The redraw.
  func redraw(
    of image: borrowing SparseImage,
    color: Distortion.Color,
    _ tables: [[UInt16]],
    _ quality: Redraw.Quality,
    thinnedFrom: Int? = nil
  ) -> Redraw {
    let (source, window) = placedWindow
    let frame = frame.cropped(to: source)
    return Redraw(
      frame: frame,
      tables: tables,
      window: window,
      transform: transform,
      resultTables: Redraw.tables(
        for: image,
        frame,
        tables,
        window: window,
        transform: transform,
        color: color,
        quality
      ),
      rounding: quality.rounding,
      thinnedFrom: thinnedFrom
    )
  }
}

extension Options.RedrawQuality {
  /// The quality as the redraw knows it.
  var quality: Redraw.Quality {
    switch self {
    case .standard: .standard
    case .compact: .compact
    case .max: .max
    }
  }
}
