import ImageOrientation
import Testing

/// The letter F as it is stored with each orientation, as in the documentation of Orientation.
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
  @Test func `Each of the eight stored letters is displayed as an upright F`() {
    #expect(Set(letters.map(\.stored)).count == 8)
    for (orientation, stored) in letters {
      #expect(transformed(stored, by: orientation.transform) == letters[0].stored, "\(orientation)")
    }
  }

  @Test func `The inverse's transform of an upright letter gives the stored one`() {
    for (orientation, stored) in letters {
      #expect(transformed(letters[0].stored, by: orientation.inverse.transform) == stored)
    }
  }

  @Test(arguments: OrientationTransform.allCases)
  func `Transforming the tag displays the same as transforming the displayed image`(
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

  @Test func `Flips swap the sides of the displayed image, also of rotated and mirrored ones`() {
    for (orientation, stored) in letters {
      let shown = transformed(stored, by: orientation.transform)
      #expect(
        transformed(stored, by: orientation.flippedHorizontally.transform)
          == shown.map { String($0.reversed()) }
      )
      #expect(transformed(stored, by: orientation.flippedVertically.transform) == shown.reversed())
    }
    // UIKit returns leftMirrored here.
    #expect(Orientation.left.flippedHorizontally == .rightMirrored)
    #expect(Orientation.right.flippedHorizontally == .leftMirrored)
  }

  @Test(arguments: -5...5)
  func `Rotations of the displayed image by 90° add up`(quarters: Int) {
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
