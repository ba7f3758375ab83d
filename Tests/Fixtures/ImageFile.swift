package import ImageOrientation
package import JPEGCore

/// A JPEG file with its structure and its frame.
package struct ImageFile: Sendable {
  package var bytes: [UInt8]
  package var container: Container
  package var frame: Frame

  package struct NoFrame: Error {}

  package init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    container = try Container(bytes.span)
    guard let segment = container.segments.first(where: \.marker.startsFrame) else {
      throw NoFrame()
    }
    frame = try Frame(segment, in: bytes.span)
  }

  /// Returns the coding parameters of the scans.
  package func parameters() throws -> CodingParameters {
    try CodingParameters(container, frame, bytes.span)
  }

  /// Decodes the image.
  ///
  /// - Parameters:
  ///   - window: The part that is decoded, block-aligned under `transform`; the whole by default.
  ///   - transform: The transform.
  /// - Returns: The result of Upright's decoder.
  /// - Throws: ``DecodeError``, ``ContainerError``.
  package func decode(
    in window: PixelRectangle? = nil,
    transform: OrientationTransform = .none
  ) throws -> (image: SparseImage, info: ReconstructionInfo) {
    let placement = BlockPlacement(frame, in: window ?? frame.bounds, transform: transform)
    let (image, info) = try parameters().decode(bytes.span, placement)
    return (image, info)
  }

  /// Returns the coefficients of Upright's decoder in the dense form.
  package func decoded(
    in window: PixelRectangle? = nil,
    transform: OrientationTransform = .none
  ) throws -> CoefficientImage {
    CoefficientImage(try decode(in: window, transform: transform).image)
  }

  /// The file without its metadata.
  package var stream: [UInt8] { container.decodableStream(bytes) }

  /// The image without a border of MCUs, if it is larger than that.
  package var interior: PixelRectangle? {
    let mcu = frame.interleavedMCU
    let part = PixelRectangle(
      x: mcu.width,
      y: mcu.height,
      width: max(frame.width - 2 * mcu.width, 1) / mcu.width * mcu.width,
      height: max(frame.height - 2 * mcu.height, 1) / mcu.height * mcu.height
    )
    return part.width > 0 && part.height > 0 ? part : nil
  }
}

extension CoefficientImage {
  /// Whether another image is equal, without a message that shows all coefficients.
  package func isEqual(to other: CoefficientImage) -> Bool {
    planes == other.planes && coefficients == other.coefficients && masks == other.masks
  }
}
