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

private func transformed(_ rows: [String], by transform: OrientationTransform) -> [String] {
  let (width, height) = (rows[0].count, rows.count)
  let size = transform.size(width: width, height: height)
  var result = [[Character]](
    repeating: [Character](repeating: "?", count: size.width),
    count: size.height
  )
  for (row, text) in rows.enumerated() {
    for (column, character) in text.enumerated() {
      let place = transform.destination(column: column, row: row, columns: width, rows: height)
      result[place.row][place.column] = character
    }
  }
  return result.map { String($0) }
}

struct LetterTests {
  @Test func `Each of the eight stored letters is shown as an upright F`() {
    #expect(Set(letters.map(\.stored)).count == 8)
    for (orientation, stored) in letters {
      #expect(transformed(stored, by: orientation.transform) == letters[0].stored, "\(orientation)")
    }
  }

  @Test func `The inverse stores what its orientation shows`() {
    for (orientation, stored) in letters {
      #expect(transformed(letters[0].stored, by: orientation.inverse.transform) == stored)
    }
  }

  @Test(arguments: OrientationTransform.allCases)
  func `Transforming what is seen by the tag shows what transforming the shown image gives`(
    transform: OrientationTransform
  ) {
    for (orientation, stored) in letters {
      let shown = transformed(stored, by: orientation.transform)
      #expect(
        transformed(stored, by: orientation.transformed(by: transform).transform)
          == transformed(shown, by: transform)
      )
    }
  }

  @Test func `Flips exchange the sides of what is seen, also of rotated and mirrored images`() {
    for (orientation, stored) in letters {
      let shown = transformed(stored, by: orientation.transform)
      #expect(
        transformed(stored, by: orientation.flippedHorizontally.transform)
          == shown.map { String($0.reversed()) }
      )
      #expect(transformed(stored, by: orientation.flippedVertically.transform) == shown.reversed())
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
        expected = expected.transformed(by: quarters < 0 ? .rotate270 : .rotate90)
      }
      #expect(orientation.rotated(clockwiseQuarters: quarters) == expected)
    }
  }

  @Test func `Orientations are a group under then`() {
    for a in Orientation.allCases {
      #expect(a.then(.up) == a && Orientation.up.then(a) == a)
      #expect(a.then(a.inverse) == .up && a.inverse.then(a) == .up)
      for b in Orientation.allCases {
        #expect(a.then(b).transform == a.transform.then(b.transform))
        #expect(a.then(b).inverse == b.inverse.then(a.inverse))
        #expect(a.then(b).isMirrored == (a.isMirrored != b.isMirrored))
        #expect(a.then(b).swapsAxes == (a.swapsAxes != b.swapsAxes))
      }
    }
  }
}
