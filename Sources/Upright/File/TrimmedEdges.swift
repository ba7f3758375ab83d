internal import ImageOrientation

/// The columns and rows of the *stored* image that are cut off with partial iMCUs.
public struct TrimmedEdges: Hashable, Sendable {
  /// The number of columns at the right.
  public var columns: Int
  /// The number of rows at the bottom.
  public var rows: Int

  /// Creates a value from its counts.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Creates the edges of a part of the stored image that are not in a smaller part.
  init(of size: PixelSize, besides kept: PixelSize) {
    self.init(columns: size.width - kept.width, rows: size.height - kept.height)
  }

  /// The counts as text.
  package var text: String {
    let parts = [(columns, "column"), (rows, "row")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return parts.joined(separator: " and ") + " of pixels"
  }
}
