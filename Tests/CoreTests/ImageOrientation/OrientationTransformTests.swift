import ImageOrientation
import Testing

private struct Pair: Sendable, CustomStringConvertible {
  var first: OrientationTransform
  var second: OrientationTransform
  var description: String { "\(first.rawValue), then \(second.rawValue)" }

  static let all = OrientationTransform.allCases.flatMap { first in
    OrientationTransform.allCases.map { Pair(first: first, second: $0) }
  }
}

/// The letters of a grid of 3 columns and 2 rows, which only `none` leaves unchanged.
private let grid = [["a", "b", "c"], ["d", "e", "f"]]

private func transformed(_ grid: [[String]], by transform: OrientationTransform) -> [[String]] {
  let (columns, rows) = (grid[0].count, grid.count)
  let size = transform.size(width: columns, height: rows)
  var result = [[String]](
    repeating: [String](repeating: "", count: size.width),
    count: size.height
  )
  for row in 0..<rows {
    for column in 0..<columns {
      let place = transform.destination(column: column, row: row, columns: columns, rows: rows)
      result[place.row][place.column] = grid[row][column]
    }
  }
  return result
}

struct OrientationTransformTests {
  @Test(arguments: [
    (OrientationTransform.none, ["abc", "def"]), (.flipHorizontal, ["cba", "fed"]),
    (.rotate180, ["fed", "cba"]),
    (.flipVertical, ["def", "abc"]), (.transpose, ["ad", "be", "cf"]),
    (.rotate90, ["da", "eb", "fc"]), (.transverse, ["fc", "eb", "da"]),
    (.rotate270, ["cf", "be", "ad"]),
  ])
  func `A transform moves the cells of a grid as its name says`(
    transform: OrientationTransform,
    expected: [String]
  ) {
    #expect(transformed(grid, by: transform).map { $0.joined() } == expected)
  }

  @Test func `The eight transforms give eight different grids`() {
    #expect(Set(OrientationTransform.allCases.map { transformed(grid, by: $0) }).count == 8)
  }

  @Test(arguments: Pair.all)
  private func `then gives the transform that is equivalent to two in sequence`(pair: Pair) {
    let inTwoSteps = transformed(transformed(grid, by: pair.first), by: pair.second)
    #expect(transformed(grid, by: pair.first.then(pair.second)) == inTwoSteps)
  }

  @Test(arguments: Pair.all)
  private func `Composition is associative`(pair: Pair) {
    for third in OrientationTransform.allCases {
      #expect(
        pair.first.then(pair.second).then(third) == pair.first.then(pair.second.then(third))
      )
    }
  }

  @Test func `The table of the group is a Latin square`() {
    for transform in OrientationTransform.allCases {
      #expect(Set(OrientationTransform.allCases.map { transform.then($0) }).count == 8)
      #expect(Set(OrientationTransform.allCases.map { $0.then(transform) }).count == 8)
    }
  }

  @Test(arguments: OrientationTransform.allCases)
  func `None is the identity and the inverse undoes a transform`(
    transform: OrientationTransform
  ) {
    #expect(transform.then(.none) == transform)
    #expect(OrientationTransform.none.then(transform) == transform)
    #expect(transform.then(transform.inverse) == .none)
    #expect(transform.inverse.then(transform) == .none)
    #expect(transformed(transformed(grid, by: transform), by: transform.inverse) == grid)
  }

  @Test func `Four rotations by 90° are the identity, and the group is not commutative`() {
    let quarter = OrientationTransform.rotate90
    #expect(quarter.then(quarter) == .rotate180)
    #expect(quarter.then(quarter).then(quarter) == .rotate270)
    #expect(quarter.then(quarter).then(quarter).then(quarter) == .none)
    #expect(quarter.then(.flipHorizontal) != OrientationTransform.flipHorizontal.then(quarter))
  }

  @Test(arguments: OrientationTransform.allCases)
  func `A transform consists of a transposition and two mirrorings`(transform: OrientationTransform)
  {
    #expect(
      OrientationTransform(
        transposes: transform.transposes,
        mirrorsX: transform.mirrorsX,
        mirrorsY: transform.mirrorsY
      ) == transform
    )
    var parts = transform.transposes ? OrientationTransform.transpose : .none
    if transform.mirrorsX { parts = parts.then(.flipHorizontal) }
    if transform.mirrorsY { parts = parts.then(.flipVertical) }
    #expect(parts == transform)
  }

  @Test(arguments: OrientationTransform.allCases)
  func `The edges that must be aligned are those that become the left or the top edge`(
    transform: OrientationTransform
  ) {
    let (columns, rows) = (3, 2)
    func leads(_ places: [(column: Int, row: Int)]) -> Bool {
      places.allSatisfy { $0.column == 0 } || places.allSatisfy { $0.row == 0 }
    }
    func place(_ column: Int, _ row: Int) -> (column: Int, row: Int) {
      transform.destination(column: column, row: row, columns: columns, rows: rows)
    }
    #expect(transform.movesRightEdge == leads((0..<rows).map { place(columns - 1, $0) }))
    #expect(transform.movesBottomEdge == leads((0..<columns).map { place($0, rows - 1) }))
  }

  @Test(arguments: OrientationTransform.allCases)
  func `Every transform has a unique name for programs and for people`(
    transform: OrientationTransform
  ) {
    #expect(OrientationTransform(rawValue: transform.rawValue) == transform)
    #expect(OrientationTransform.allCases.count { $0.description == transform.description } == 1)
  }
}
