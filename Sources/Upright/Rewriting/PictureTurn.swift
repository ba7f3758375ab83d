internal import ImageOrientation
internal import JPEGCore

/// How one picture of a file is turned, which part of it is kept, and what becomes of its edges.
struct PictureTurn {
  /// What becomes of partial MCUs that the turn moves to the left or the top.
  enum Edging {
    /// There are none.
    case exact
    /// They are cut off.
    case trim
    /// The components that they hit are redrawn.
    case redraw(Redraw.Quality)
  }

  let container: Container
  let frame: Frame
  let turn: Turn
  let edging: Edging
  /// The part of the stored picture that is asked for.
  let asked: PixelRectangle
  /// The part that is kept: less than what is asked for only where partial MCUs are cut off.
  let window: PixelRectangle

  /// - Parameters:
  ///   - header: The picture's header.
  ///   - turn: How to turn it.
  ///   - window: The part of the stored picture to keep; all of it unless given.
  ///   - edging: What to do about partial MCUs, if the turn moves any.
  init(_ header: Header, _ turn: Turn, window: PixelRectangle? = nil, edging: Edging) {
    container = header.container
    frame = header.frame
    self.turn = turn
    asked = window ?? header.frame.bounds
    self.edging = header.frame.isExact(asked, under: turn) ? .exact : edging
    if case .trim = self.edging {
      self.window = header.frame.snapped(asked, for: turn, .shrink)
    } else {
      self.window = asked
    }
  }

  /// The frame of the turned picture.
  var turned: Frame { frame.cropped(to: window).turned(by: turn) }

  /// Whether all of the picture is kept.
  var isWhole: Bool { window == frame.bounds }

  /// Whether every coefficient of what is kept stays what it is.
  var isExact: Bool {
    if case .exact = edging { return true }
    return false
  }

  /// Where the picture begins in the file.
  var start: Int { container.segments[0].range.lowerBound }

  /// What becomes of the edges, for people.
  var edges: Edges {
    switch edging {
    case .exact: .exact
    case .trim:
      .trimmed(
        TrimmedEdges(columns: asked.width - window.width, rows: asked.height - window.height)
      )
    case .redraw: .redrawn(kept: keptComponents, of: frame.components.count)
    }
  }

  /// The components that a redraw turns exactly.
  private var keptComponents: [Int] {
    let (source, window) = placedWindow
    let keeps = Redraw.isBlockAligned(frame.cropped(to: source), window: window, turn: turn)
    return keeps.indices.filter { keeps[$0] }
  }

  /// Whether only a part of the picture is asked for.
  var isCropped: Bool { asked != frame.bounds }

  /// The part of the stored picture that a redraw is made of.
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
      turn: turn,
      resultTables: Redraw.tables(
        for: image,
        frame,
        tables,
        window: window,
        turn: turn,
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
