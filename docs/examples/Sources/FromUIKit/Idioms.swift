import Foundation
import ImageOrientation
import Upright
import UprightFoundation

// fixOrientation, normalizedImage
func normalized(_ photo: Data) throws -> Data {
  try Rewriter().rewrite(photo).data(original: photo)
}

// UIImageJPEGRepresentation, jpegData(compressionQuality:)
func normalizedFile(at url: URL) throws -> Data {
  let photo = try Data(contentsOf: url)
  return try Rewriter().rewrite(photo).data(original: photo)
}

// cgImage.cropping(to:)
func cropped(_ photo: Data, to seen: PixelRectangle) throws -> Data {
  try Rewriter(.crop(seen)).rewrite(photo).data(original: photo)
}

// cgImage.cropping(to:) with a rectangle in the coordinates of cgImage
func cropped(_ photo: Data, toStored stored: PixelRectangle) throws -> Data {
  let image = try Rewriter().plan(photo).image
  let orientation = image.orientation ?? .up
  let seen = orientation.matrixFromStored(of: image.size).applied(to: stored)
  return try Rewriter(.crop(seen, snapping: .exact)).rewrite(photo).data(original: photo)
}

// UIImage(cgImage: cgImage, scale: 1, orientation: .right), and drawing it
func rotatedClockwise(_ photo: Data) throws -> Data {
  try Rewriter(.normalize(then: .rotate90)).rewrite(photo).data(original: photo)
}

// UIImage(cgImage: cgImage, scale: 1, orientation: .right), without drawing
func taggedClockwise(_ photo: Data) throws -> Data {
  try Rewriter(.tag(.transform(.rotate90))).rewrite(photo).data(original: photo)
}

// withHorizontallyFlippedOrientation(), imageFlippedForRightToLeftLayoutDirection()
func mirrored(_ photo: Data) throws -> Data {
  try Rewriter(.normalize(then: .flipHorizontal)).rewrite(photo).data(original: photo)
}

// UIImage.Orientation(rawValue:) as the value of kCGImagePropertyOrientation
func exifOrientation(ofUIImage rawValue: Int) -> Int? {
  Orientation(uiImageRawValue: rawValue)?.rawValue
}

// CGImagePropertyOrientation(rawValue:) as UIImage.Orientation
func uiImageOrientation(ofImageIO rawValue: UInt32) -> Int? {
  Orientation(cgImagePropertyRawValue: rawValue)?.uiImageRawValue
}

// image.size, image.imageOrientation
func sizeAndOrientation(of photo: Data) throws -> (PixelSize, Orientation) {
  let image = try Rewriter().plan(photo).image
  return (image.uprightSize, image.orientation ?? .up)
}

// CGImageSourceCopyPropertiesAtIndex, kCGImagePropertyGPSDictionary
func position(of photo: Data) throws -> Facts.Position? {
  try Rewriter().audit(photo).facts.position
}

// VNFaceObservation.boundingBox of the stored raster, in pixels from the bottom left
func face(_ stored: ImageRectangle<Double>, in photo: Data) throws -> ImageRectangle<Double> {
  let image = try Rewriter().plan(photo).image
  let size = ImageSize(width: Double(image.size.width), height: Double(image.size.height))
  let orientation = image.orientation ?? .up
  return orientation.matrixFromStored(of: size, origin: .bottomLeft).applied(to: stored)
}
