import ImageOrientation
import Testing

private struct Pair: Sendable, CustomStringConvertible {
  var first: Turn
  var second: Turn
  var description: String { "\(first.rawValue), then \(second.rawValue)" }

  static let all = Turn.allCases.flatMap { first in
    Turn.allCases.map { Pair(first: first, second: $0) }
  }
}

/// The letters of a grid of 3 columns and 2 rows, which no turn but `none` leaves as it is.
private let grid = [["a", "b", "c"], ["d", "e", "f"]]

private func turned(_ grid: [[String]], by turn: Turn) -> [[String]] {
  let (columns, rows) = (grid[0].count, grid.count)
  let size = turn.size(width: columns, height: rows)
  var result = [[String]](
    repeating: [String](repeating: "", count: size.width),
    count: size.height
  )
  for row in 0..<rows {
    for column in 0..<columns {
      let place = turn.destination(column: column, row: row, columns: columns, rows: rows)
      result[place.row][place.column] = grid[row][column]
    }
  }
  return result
}

struct TurnTests {
  @Test(arguments: [
    (Turn.none, ["abc", "def"]), (.flipHorizontal, ["cba", "fed"]), (.rotate180, ["fed", "cba"]),
    (.flipVertical, ["def", "abc"]), (.transpose, ["ad", "be", "cf"]),
    (.rotate90, ["da", "eb", "fc"]), (.transverse, ["fc", "eb", "da"]),
    (.rotate270, ["cf", "be", "ad"]),
  ])
  func `A turn moves the cells of a grid as its name says`(turn: Turn, expected: [String]) {
    #expect(turned(grid, by: turn).map { $0.joined() } == expected)
  }

  @Test func `The eight turns give eight different grids`() {
    #expect(Set(Turn.allCases.map { turned(grid, by: $0) }).count == 8)
  }

  @Test(arguments: Pair.all)
  private func `Two turns in a row are the one that then gives`(pair: Pair) {
    let inTwoSteps = turned(turned(grid, by: pair.first), by: pair.second)
    #expect(turned(grid, by: pair.first.then(pair.second)) == inTwoSteps)
  }

  @Test(arguments: Pair.all)
  private func `Composition is associative`(pair: Pair) {
    for third in Turn.allCases {
      #expect(
        pair.first.then(pair.second).then(third) == pair.first.then(pair.second.then(third))
      )
    }
  }

  @Test func `The table of the group is a Latin square`() {
    for turn in Turn.allCases {
      #expect(Set(Turn.allCases.map { turn.then($0) }).count == 8)
      #expect(Set(Turn.allCases.map { $0.then(turn) }).count == 8)
    }
  }

  @Test(arguments: Turn.allCases)
  func `None is the identity and the inverse takes a turn back`(turn: Turn) {
    #expect(turn.then(.none) == turn)
    #expect(Turn.none.then(turn) == turn)
    #expect(turn.then(turn.inverse) == .none)
    #expect(turn.inverse.then(turn) == .none)
    #expect(turned(turned(grid, by: turn), by: turn.inverse) == grid)
  }

  @Test func `Four quarter turns are none, and the group is not commutative`() {
    let quarter = Turn.rotate90
    #expect(quarter.then(quarter) == .rotate180)
    #expect(quarter.then(quarter).then(quarter) == .rotate270)
    #expect(quarter.then(quarter).then(quarter).then(quarter) == .none)
    #expect(quarter.then(.flipHorizontal) != Turn.flipHorizontal.then(quarter))
  }

  @Test(arguments: Turn.allCases)
  func `A turn is made of a transposition and two mirrorings`(turn: Turn) {
    #expect(
      Turn(transposes: turn.transposes, mirrorsX: turn.mirrorsX, mirrorsY: turn.mirrorsY) == turn
    )
    var parts = turn.transposes ? Turn.transpose : .none
    if turn.mirrorsX { parts = parts.then(.flipHorizontal) }
    if turn.mirrorsY { parts = parts.then(.flipVertical) }
    #expect(parts == turn)
  }

  @Test(arguments: Turn.allCases)
  func `The edges that must be aligned are those that come to lie at the left or the top`(
    turn: Turn
  ) {
    let (columns, rows) = (3, 2)
    func leads(_ places: [(column: Int, row: Int)]) -> Bool {
      places.allSatisfy { $0.column == 0 } || places.allSatisfy { $0.row == 0 }
    }
    func place(_ column: Int, _ row: Int) -> (column: Int, row: Int) {
      turn.destination(column: column, row: row, columns: columns, rows: rows)
    }
    #expect(turn.movesRightEdge == leads((0..<rows).map { place(columns - 1, $0) }))
    #expect(turn.movesBottomEdge == leads((0..<columns).map { place($0, rows - 1) }))
  }

  @Test(arguments: Turn.allCases)
  func `Every turn has a name of its own for programs and for people`(turn: Turn) {
    #expect(Turn(rawValue: turn.rawValue) == turn)
    #expect(Turn.allCases.count { $0.description == turn.description } == 1)
  }
}
