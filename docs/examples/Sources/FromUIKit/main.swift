import Foundation
import ImageOrientation
import Upright
import UprightFoundation

/// Says what is wrong, and ends the program with status 1.
func require(_ condition: Bool, _ message: String) {
  guard !condition else { return }
  print("FromUIKit: \(message)")
  exit(1)
}

/// Whether a photo has a size as it is displayed, and an orientation.
func has(_ photo: Data, _ width: Int, _ height: Int, _ orientation: Orientation) throws -> Bool {
  try sizeAndOrientation(of: photo) == (PixelSize(width: width, height: height), orientation)
}

// 480×320 as stored, Orientation 6.
let url = URL(filePath: CommandLine.arguments[1])
let photo = try Data(contentsOf: url)
let upright = try normalized(photo)
require(try has(photo, 320, 480, .right), "another photo is expected")
require(try has(upright, 320, 480, .up), "it is not upright")
require(try normalizedFile(at: url) == upright, "the file becomes another one")
require(try normalized(upright) == upright, "what is upright was changed")

let crop = try cropped(photo, to: PixelRectangle(x: 32, y: 48, width: 200, height: 150))
let (size, orientation) = try sizeAndOrientation(of: crop)
require(size.width >= 200 && size.height >= 150 && orientation == .up, "the crop is wrong")
let stored = try cropped(photo, toStored: PixelRectangle(x: 0, y: 0, width: 100, height: 50))
require(try has(stored, 50, 100, .up), "the stored crop is wrong")

require(try has(rotatedClockwise(photo), 480, 320, .up), "not rotated")
require(try has(taggedClockwise(photo), 480, 320, .down), "not tagged")
require(try mirrored(mirrored(photo)) != photo, "mirroring twice normalizes")
require(try has(mirrored(photo), 320, 480, .up), "not mirrored")

let exif = (0...7).map { exifOrientation(ofUIImage: $0) }
require(exif == [1, 3, 8, 6, 2, 4, 5, 7], "the raw values of UIImage are others")
require((1...8).map { uiImageOrientation(ofImageIO: $0) } == [0, 4, 1, 5, 6, 3, 7, 2], "and back")
require(exifOrientation(ofUIImage: 8) == nil && uiImageOrientation(ofImageIO: 0) == nil, "no value")

require(try position(of: upright) == position(of: photo), "the place was lost")
// At the bottom left of the stored raster is the top left of what is seen.
let seenFace = try face(ImageRectangle(x: 0, y: 0, width: 40, height: 20), in: photo)
require(
  seenFace == ImageRectangle(x: 0, y: 440, width: 20, height: 40),
  "the face is at \(seenFace)"
)
print("FromUIKit: all well")
