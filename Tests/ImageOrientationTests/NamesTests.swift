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

  @Test(arguments: [
    (CameraPose.upright, 1, 2), (.clockwise, 6, 5), (.upsideDown, 3, 4), (.counterclockwise, 8, 7),
  ])
  func `A camera writes the tag whose transform undoes its pose`(
    pose: CameraPose,
    plain: Int,
    mirrored: Int
  ) {
    #expect(Orientation(pose).rawValue == plain)
    #expect(Orientation(pose, mirrored: true).rawValue == mirrored)
  }

  @Test(arguments: [
    (DevicePose.portrait, 6, 5), (.portraitUpsideDown, 8, 7), (.landscapeLeft, 1, 4),
    (.landscapeRight, 3, 2),
  ])
  func `A telephone writes the tag for the pose of each of its cameras`(
    device: DevicePose,
    rear: Int,
    mirroredFront: Int
  ) {
    #expect(Orientation(device.pose(of: .rear)).rawValue == rear)
    #expect(Orientation(device.pose(of: .front), mirrored: true).rawValue == mirroredFront)
  }
}
