import ImageOrientation
import Testing

/// A side of a picture as it is seen.
private enum Side: Sendable {
  case top, bottom, left, right

  /// Whether a cell of a grid lies at this side.
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
  var turn: Turn
  /// Whether the right and the bottom edge have to be aligned.
  var needs: (right: Bool, bottom: Bool)
  var description: String { "Orientation \(value)" }

  static let all = [
    Row(value: 1, firstRow: .top, firstColumn: .left, turn: .none, needs: (false, false)),
    Row(value: 2, firstRow: .top, firstColumn: .right, turn: .flipHorizontal, needs: (true, false)),
    Row(value: 3, firstRow: .bottom, firstColumn: .right, turn: .rotate180, needs: (true, true)),
    Row(value: 4, firstRow: .bottom, firstColumn: .left, turn: .flipVertical, needs: (false, true)),
    Row(value: 5, firstRow: .left, firstColumn: .top, turn: .transpose, needs: (false, false)),
    Row(value: 6, firstRow: .right, firstColumn: .top, turn: .rotate90, needs: (false, true)),
    Row(value: 7, firstRow: .right, firstColumn: .bottom, turn: .transverse, needs: (true, true)),
    Row(value: 8, firstRow: .left, firstColumn: .bottom, turn: .rotate270, needs: (true, false)),
  ]
}

struct OrientationTests {
  @Test(arguments: Row.all)
  private func `An orientation asks for the turn that the table gives`(row: Row) throws {
    let orientation = try #require(Orientation(rawValue: row.value))
    #expect(orientation.turn == row.turn)
    #expect(orientation.turn.movesRightEdge == row.needs.right)
    #expect(orientation.turn.movesBottomEdge == row.needs.bottom)
  }

  @Test(arguments: Row.all)
  private func `The turn brings the 0th row and column to the sides that the tag names`(
    row: Row
  ) throws {
    let turn = try #require(Orientation(rawValue: row.value)).turn
    let (columns, rows) = (5, 3)
    let size = turn.size(width: columns, height: rows)
    for column in 0..<columns {
      let place = turn.destination(column: column, row: 0, columns: columns, rows: rows)
      #expect(row.firstRow.contains(place, in: size))
    }
    for line in 0..<rows {
      let place = turn.destination(column: 0, row: line, columns: columns, rows: rows)
      #expect(row.firstColumn.contains(place, in: size))
    }
  }

  @Test(arguments: Orientation.allCases)
  func `An orientation is found again from its turn`(orientation: Orientation) {
    #expect(Orientation(uprightBy: orientation.turn) == orientation)
  }

  @Test(arguments: [0, 9, -1, 65_535])
  func `Reserved values are no orientation`(value: Int) {
    #expect(Orientation(rawValue: value) == nil)
  }

  @Test(arguments: [
    (Turn.flipHorizontal, [1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5, 7: 8, 8: 7]),
    (.flipVertical, [1: 4, 4: 1, 2: 3, 3: 2, 5: 8, 8: 5, 6: 7, 7: 6]),
    (.rotate90, [1: 6, 6: 3, 3: 8, 8: 1]),
  ])
  func `Turning what a viewer sees changes the tag as the specification says`(
    turn: Turn,
    expected: [Int: Int]
  ) throws {
    for (before, after) in expected {
      let orientation = try #require(Orientation(rawValue: before))
      #expect(Orientation(uprightBy: orientation.turn.then(turn)).rawValue == after)
    }
  }
}
