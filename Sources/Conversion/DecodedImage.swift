package import ImageOrientation
internal import JPEGCore
package import TurboTransform

/// An image that another format's decoder gave, upright, with the metadata of its file.
package struct DecodedImage: Sendable {
  /// The pixels as they are shown.
  package var pixels: PixelImage
  /// How the decoder has transformed the stored raster.
  package var transform = OrientationTransform.none
  /// The size of the stored raster.
  package var stored: PixelSize
  /// The Exif block, from its byte order mark.
  package var exif: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
  package var colour = ColourDescription.unspecified
  /// What the file has and a JPEG file of one image has no place for.
  package var losses: [Loss] = []

  package init(pixels: PixelImage, stored: PixelSize) {
    self.pixels = pixels
    self.stored = stored
  }
}

/// Something of the source that is not in the converted file.
package struct Loss: Hashable, Sendable {
  /// What it is; the raw values are stable identifiers.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case alpha
    case auxiliaryImage = "auxiliary-image"
    case contentCredentials = "content-credentials"
    case depthMap = "depth-map"
    case gainMap = "gain-map"
    case matte
    case metadata
    case otherImages = "other-images"
    case precision
    case sequence
    case video
  }

  package var kind: Kind
  /// What is lost, in words for people.
  package var text: String

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

/// What the numbers of the pixels mean.
package enum ColourDescription: Hashable, Sendable {
  /// Nothing is said: sRGB, by convention.
  case unspecified
  /// An ICC profile.
  case profile([UInt8])
  /// Code points of ITU-T H.273.
  case codePoints(ColourCodePoints)
}
