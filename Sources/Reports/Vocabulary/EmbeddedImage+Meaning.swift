package import Upright

extension EmbeddedImage.Role {
  /// The image as a phrase for a page of docs.
  package var meaning: String {
    switch self {
    case .thumbnail: "the thumbnail in Exif's IFD1"
    case .gainMap: "a gain map for high dynamic range"
    case .depthMap: "a depth map"
    case .matte: "a matte of a person, hair, skin or sky"
    case .preview: "a smaller rendition of the primary image"
    case .view: "an independent image: another view, or the original of an edited one"
    case .video: "the video of a motion photo"
    case .unknown: "an image whose purpose is not stated in the file"
    }
  }
}

extension EmbeddedImage.Disposition {
  /// What became of the image as a phrase for a page of docs.
  package var meaning: String {
    switch self {
    case .transformed: "transformed with the primary image, lossless"
    case .reencoded:
      "transformed and re-encoded at its own quality, because its edge is not a whole number of blocks"
    case .regenerated: "made from the cropped image"
    case .removed:
      "not in the new file, because it shows what was cut away or does not fit the cropped image"
    case .kept: "copied byte for byte, as intended"
    case .stale: "copied byte for byte, although it may show the image as it was stored"
    }
  }
}
