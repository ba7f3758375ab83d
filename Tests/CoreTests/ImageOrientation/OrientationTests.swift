import ImageOrientation
import Testing

/// A side of an image as it is displayed.
private enum Side: Sendable {
  case top, bottom, left, right

  /// Returns whether a cell of a grid is at this side.
  func contains(_ place: (column: Int, row: Int), in size: (width: Int, height: Int)) -> Bool {
    switch self {
    case .top: place.row == 0
    case .bottom: place.row == size.height - 1
    case .left: place.column == 0
    case .right: place.column == size.width - 1
    }
  }
}

/// A row of the specification's tables.
private struct Row: Sendable, CustomStringConvertible {
  var value: Int
  var firstRow: Side
  var firstColumn: Side
  var transform: OrientationTransform
  /// Whether the right and the bottom edge have to be aligned.
  var needs: (right: Bool, bottom: Bool)
  var description: String { "Orientation \(value)" }

  static let all = [
    Row(value: 1, firstRow: .top, firstColumn: .left, transform: .none, needs: (false, false)),
    Row(
      value: 2,
      firstRow: .top,
      firstColumn: .right,
      transform: .flipHorizontal,
      needs: (true, false)
    ),
    Row(
      value: 3,
      firstRow: .bottom,
      firstColumn: .right,
      transform: .rotate180,
      needs: (true, true)
    ),
    Row(
      value: 4,
      firstRow: .bottom,
      firstColumn: .left,
      transform: .flipVertical,
      needs: (false, true)
    ),
    Row(value: 5, firstRow: .left, firstColumn: .top, transform: .transpose, needs: (false, false)),
    Row(value: 6, firstRow: .right, firstColumn: .top, transform: .rotate90, needs: (false, true)),
    Row(
      value: 7,
      firstRow: .right,
      firstColumn: .bottom,
      transform: .transverse,
      needs: (true, true)
    ),
    Row(
      value: 8,
      firstRow: .left,
      firstColumn: .bottom,
      transform: .rotate270,
      needs: (true, false)
    ),
  ]
}

struct OrientationTests {
  @Test(arguments: Row.all)
  private func `An orientation has the transform of the specification's table`(row: Row) throws {
    let orientation = try #require(Orientation(rawValue: row.value))
    #expect(orientation.transform == row.transform)
    #expect(orientation.transform.movesRightEdge == row.needs.right)
    #expect(orientation.transform.movesBottomEdge == row.needs.bottom)
  }

  @Test(arguments: Row.all)
  private func `The transform moves row 0 and column 0 to the sides that the tag names`(
    row: Row
  ) throws {
    let transform = try #require(Orientation(rawValue: row.value)).transform
    let (columns, rows) = (5, 3)
    let size = transform.size(width: columns, height: rows)
    for column in 0..<columns {
      let place = transform.destination(column: column, row: 0, columns: columns, rows: rows)
      #expect(row.firstRow.contains(place, in: size))
    }
    for line in 0..<rows {
      let place = transform.destination(column: 0, row: line, columns: columns, rows: rows)
      #expect(row.firstColumn.contains(place, in: size))
    }
  }

  @Test(arguments: Orientation.allCases)
  func `An orientation is restored from its transform`(orientation: Orientation) {
    #expect(Orientation(uprightBy: orientation.transform) == orientation)
  }

  @Test(arguments: [0, 9, -1, 65_535])
  func `Reserved values are not an orientation`(value: Int) {
    #expect(Orientation(rawValue: value) == nil)
  }

  @Test(arguments: [
    (OrientationTransform.flipHorizontal, [1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5, 7: 8, 8: 7]),
    (.flipVertical, [1: 4, 4: 1, 2: 3, 3: 2, 5: 8, 8: 5, 6: 7, 7: 6]),
    (.rotate90, [1: 6, 6: 3, 3: 8, 8: 1]),
  ])
  func `Transforming the displayed image changes the tag as specified`(
    transform: OrientationTransform,
    expected: [Int: Int]
  ) throws {
    for (before, after) in expected {
      let orientation = try #require(Orientation(rawValue: before))
      #expect(Orientation(uprightBy: orientation.transform.then(transform)).rawValue == after)
    }
  }
}
