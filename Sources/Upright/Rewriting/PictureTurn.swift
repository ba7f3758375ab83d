internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

/// How one picture of a file is turned, and what becomes of its edges.
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

  /// - Parameters:
  ///   - header: The picture's header.
  ///   - turn: How to turn it.
  ///   - edging: What to do about partial MCUs, if the turn moves any.
  init(_ header: Header, _ turn: Turn, edging: Edging) {
    container = header.container
    frame = header.frame
    self.turn = turn
    self.edging = header.frame.isExact(under: turn) ? .exact : edging
  }

  /// The part of the frame that is kept.
  var kept: Frame {
    guard case .trim = edging else { return frame }
    return frame.trimmed(for: turn)
  }

  /// The frame of the turned picture.
  var turned: Frame { kept.turned(by: turn) }

  /// Whether every coefficient is kept.
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
    case .trim: .trimmed(columns: frame.width - kept.width, rows: frame.height - kept.height)
    case .redraw(let quality):
      .redrawn(
        kept: Redraw(
          frame: frame,
          tables: frame.components.map { _ in [UInt16](repeating: 1, count: 64) },
          turn: turn,
          quality: quality
        ).keepsGrid.indices(where: { $0 }),
        of: frame.components.count
      )
    }
  }
}

extension [Bool] {
  /// The indices at which a condition holds.
  fileprivate func indices(where condition: (Bool) -> Bool) -> [Int] {
    indices.filter { condition(self[$0]) }
  }
}

extension Options.RedrawQuality {
  /// The quality as the redraw knows it.
  var quality: Redraw.Quality {
    switch self {
    case .standard: .standard
    case .max: .max
    }
  }
}
