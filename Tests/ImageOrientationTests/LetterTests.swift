import ImageOrientation
import Testing

/// The letter F as it is stored with each orientation, as the documentation shows it.
private let letters: [(orientation: Orientation, stored: [String])] = [
  (.up, ["###", "#  ", "## ", "#  ", "#  "]),
  (.upMirrored, ["###", "  #", " ##", "  #", "  #"]),
  (.down, ["  #", "  #", " ##", "  #", "###"]),
  (.downMirrored, ["#  ", "#  ", "## ", "#  ", "###"]),
  (.leftMirrored, ["#####", "# #  ", "#    "]),
  (.right, ["#    ", "# #  ", "#####"]),
  (.rightMirrored, ["    #", "  # #", "#####"]),
  (.left, ["#####", "  # #", "    #"]),
]

private func turned(_ rows: [String], by turn: Turn) -> [String] {
  let (width, height) = (rows[0].count, rows.count)
  let size = turn.size(width: width, height: height)
  var result = [[Character]](
    repeating: [Character](repeating: "?", count: size.width),
    count: size.height
  )
  for (row, text) in rows.enumerated() {
    for (column, character) in text.enumerated() {
      let place = turn.destination(column: column, row: row, columns: width, rows: height)
      result[place.row][place.column] = character
    }
  }
  return result.map { String($0) }
}

struct LetterTests {
  @Test func `Each of the eight stored letters is shown as an upright F`() {
    #expect(Set(letters.map(\.stored)).count == 8)
    for (orientation, stored) in letters {
      #expect(turned(stored, by: orientation.turn) == letters[0].stored, "\(orientation)")
    }
  }

  @Test func `The inverse stores what its orientation shows`() {
    for (orientation, stored) in letters {
      #expect(turned(letters[0].stored, by: orientation.inverse.turn) == stored)
    }
  }

  @Test(arguments: Turn.allCases)
  func `Turning what is seen by the tag shows what turning the shown picture gives`(turn: Turn) {
    for (orientation, stored) in letters {
      let shown = turned(stored, by: orientation.turn)
      #expect(turned(stored, by: orientation.turned(by: turn).turn) == turned(shown, by: turn))
    }
  }

  @Test func `Flips exchange the sides of what is seen, also of rotated and mirrored pictures`() {
    for (orientation, stored) in letters {
      let shown = turned(stored, by: orientation.turn)
      #expect(
        turned(stored, by: orientation.flippedHorizontally.turn)
          == shown.map { String($0.reversed()) }
      )
      #expect(turned(stored, by: orientation.flippedVertically.turn) == shown.reversed())
    }
    // Where UIKit gives leftMirrored.
    #expect(Orientation.left.flippedHorizontally == .rightMirrored)
    #expect(Orientation.right.flippedHorizontally == .leftMirrored)
  }

  @Test(arguments: -5...5)
  func `Quarter turns of what is seen add up`(quarters: Int) {
    for orientation in Orientation.allCases {
      var expected = orientation
      for _ in 0..<abs(quarters) {
        expected = expected.turned(by: quarters < 0 ? .rotate270 : .rotate90)
      }
      #expect(orientation.rotated(clockwiseQuarters: quarters) == expected)
    }
  }

  @Test func `Orientations are a group under then`() {
    for a in Orientation.allCases {
      #expect(a.then(.up) == a && Orientation.up.then(a) == a)
      #expect(a.then(a.inverse) == .up && a.inverse.then(a) == .up)
      for b in Orientation.allCases {
        #expect(a.then(b).turn == a.turn.then(b.turn))
        #expect(a.then(b).inverse == b.inverse.then(a.inverse))
        #expect(a.then(b).isMirrored == (a.isMirrored != b.isMirrored))
        #expect(a.then(b).swapsAxes == (a.swapsAxes != b.swapsAxes))
      }
    }
  }
}
