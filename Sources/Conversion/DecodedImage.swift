package import ImageOrientation
package import TurboTransform

/// An upright image from the decoder of another format, with the metadata of its file.
package struct DecodedImage: Sendable {
  /// The pixels as displayed.
  package var pixels: PixelImage
  /// The transform that the decoder applied to the stored raster.
  package var transform = OrientationTransform.none
  /// The size of the stored raster.
  package var stored: PixelSize
  /// The Exif block, from its byte order mark.
  package var exif: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
  package var color = ColorDescription.unspecified
  /// The parts of the file that a JPEG file cannot contain.
  package var losses: [Loss] = []

  package init(pixels: PixelImage, stored: PixelSize) {
    self.pixels = pixels
    self.stored = stored
  }
}

/// A part of the source that is not in the converted file.
package struct Loss: Hashable, Sendable {
  /// The kind of a loss; the raw values are stable identifiers.
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
  /// The text for people.
  package var text: String

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

/// The color space of the pixels.
package enum ColorDescription: Hashable, Sendable {
  /// No description: sRGB by convention.
  case unspecified
  /// An ICC profile.
  case profile([UInt8])
  /// Code points of ITU-T H.273.
  case codePoints(ColorCodePoints)
}
