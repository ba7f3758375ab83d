import ImageOrientation
import Testing

struct NamesTests {
  @Test func `UIKit's numbers of the orientations differ from Exif's`() {
    #expect((0...7).map { Orientation(uiImageRawValue: $0)?.rawValue } == [1, 3, 8, 6, 2, 4, 5, 7])
    #expect(Orientation(uiImageRawValue: 8) == nil && Orientation(uiImageRawValue: -1) == nil)
  }

  @Test func `Core Graphics' numbers are those of Exif`() {
    #expect((1...8).map { Orientation(cgImagePropertyRawValue: $0)?.rawValue } == Array(1...8))
    #expect(Orientation(cgImagePropertyRawValue: 0) == nil)
    #expect(Orientation(cgImagePropertyRawValue: .max) == nil)
  }

  @Test(arguments: Orientation.allCases)
  func `Orientations are restored from their numbers and names`(orientation: Orientation) {
    #expect(Orientation(uiImageRawValue: orientation.uiImageRawValue) == orientation)
    #expect(
      Orientation(cgImagePropertyRawValue: orientation.cgImagePropertyRawValue) == orientation
    )
    #expect(Orientation("\(orientation)") == orientation)
    #expect(
      Orientation(firstRow: orientation.firstRow, firstColumn: orientation.firstColumn)
        == orientation
    )
  }

  @Test func `The names are those of UIKit`() {
    #expect(
      Orientation.allCases.map(\.description) == [
        "up", "upMirrored", "down", "downMirrored", "leftMirrored", "right", "rightMirrored",
        "left",
      ]
    )
    #expect(Orientation("sideways") == nil)
  }

  @Test func `Equal and opposite sides are not an orientation`() {
    let pairs = Side.allCases.flatMap { row in Side.allCases.map { (row, $0) } }
    #expect(pairs.count { Orientation(firstRow: $0.0, firstColumn: $0.1) != nil } == 8)
    #expect(Orientation(firstRow: .top, firstColumn: .bottom) == nil)
  }
}
