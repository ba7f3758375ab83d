internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform
internal import Upright

/// A JPEG stream of an image's pixels, with optimal Huffman tables.
struct CompressedPixels {
  private let stream: [UInt8]
  private let container: Container

  /// Compresses the pixels.
  ///
  /// - Throws: ``Converter/Failure`` `failed`.
  init(_ pixels: PixelImage, quality: Int) throws(Converter.Failure) {
    do throws(TransformError) {
      let plain = try PixelEncoder.encode(pixels, quality: quality)
      guard let optimal = Self.optimized(plain),
        let container = try? Container(optimal.span)
      else { throw TransformError.damaged("the encoder's stream cannot be read") }
      self.container = container
      stream = optimal
    } catch {
      switch error {
      case .outOfMemory:
        throw .failed(UprightError(.outOfMemory, "not enough memory for the image"))
      case .damaged(let message), .unknownSampling(let message):
        throw .failed(UprightError(.verification, message))
      case .missing:
        throw .failed(UprightError(.unsupported, "there is no libjpeg-turbo in this build"))
      }
    }
  }

  /// Returns the stream with optimal Huffman tables and the same coefficients, or nil if it cannot be read.
  private static func optimized(_ stream: [UInt8]) -> [UInt8]? {
    guard let container = try? Container(stream.span),
      let header = container.segments.first(where: { $0.marker.startsFrame }),
      let frame = try? Frame(header, in: stream.span),
      let parameters = try? CodingParameters(container, frame, stream.span),
      let (image, _) = try? parameters.decode(
        stream.span,
        BlockPlacement(frame, in: frame.bounds, transform: .none)
      )
    else { return nil }
    let encoder = ImageEncoder(parameters, frame: frame)
    return (try? encoder.edits(image, tables: .optimal))?.applied(to: stream)
  }

  /// Returns the file with metadata.
  ///
  /// - Parameter metadata: The segments. If the first one is Exif, it replaces the JFIF segment.
  /// - Returns: The file.
  func file(with metadata: [[UInt8]]) -> [UInt8] {
    let jfif = container.segments(.jfif, in: stream.span).first?.range ?? 2..<2
    let hasExif = metadata.first?.dropFirst(4).starts(with: "Exif\0".utf8) == true
    let start = hasExif ? jfif.lowerBound : jfif.upperBound
    return Array(stream[..<start]) + metadata.joined() + stream[jfif.upperBound...]
  }
}
