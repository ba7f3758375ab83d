public import ImageFormats
public import ImageOrientation
internal import JPEGCore

/// The properties of an image, as the header of its file gives them.
public struct ImageInfo: Hashable, Sendable {
  /// The format of the file, by its content.
  public var format: ImageFormat
  /// The size of the stored image.
  public var size: PixelSize
  /// The orientation that the file gives, or nil if it gives none or an invalid one.
  public var orientation: Orientation?
  /// How a JPEG image is coded; nil for other formats.
  public var jpeg: JPEGCoding?

  /// The size of the image as displayed.
  public var uprightSize: PixelSize { (orientation?.transform ?? .none).size(of: size) }

  /// Whether the image is stored as it is displayed.
  package var isUpright: Bool { orientation == nil || orientation == .up }

  /// Returns the transform of the displayed image that corresponds to a transform of the stored raster.
  public func displayed(_ transform: OrientationTransform) -> OrientationTransform {
    (orientation?.transform ?? .none).inverse.then(transform)
  }
}

/// How a JPEG image is coded.
public struct JPEGCoding: Hashable, Sendable {
  /// The coding process, such as `baseline` or `progressive`.
  public var process: String
  /// The chroma sampling, such as `4:2:0` or `grayscale`.
  public var sampling: String
}

extension ImageInfo {
  init(_ frame: Frame, _ orientation: Orientation?) {
    format = .jpeg
    size = frame.size
    self.orientation = orientation
    jpeg = JPEGCoding(process: frame.process.description, sampling: frame.sampling)
  }
}
