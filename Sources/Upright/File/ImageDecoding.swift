package import ImageOrientation
package import JPEGCore
internal import TurboTransform

/// Decodes an image of a file with Upright's decoder, or with TurboJPEG if Upright's decoder does not support it.
package struct ImageDecoding {
  package let parameters: CodingParameters
  /// The file.
  let bytes: [UInt8]

  private typealias Read<Image> = (
    CodingParameters, Span<UInt8>, BlockPlacement
  ) throws(DecodeError) -> (Image, ReconstructionInfo)

  private var container: Container { parameters.container }
  private var frame: Frame { parameters.frame }

  /// - Throws: ``UprightError`` `malformed`, or `damagedScan` if a component has no scan.
  package init(_ container: Container, _ frame: Frame, _ bytes: [UInt8]) throws(UprightError) {
    self.bytes = bytes
    do throws(ContainerError) {
      parameters = try CodingParameters(container, frame, bytes.span)
    } catch {
      throw UprightError(error)
    }
    guard let missing = parameters.missingComponent else { return }
    guard container.isComplete else { throw .noEndOfImage(at: container.end) }
    throw UprightError(
      .damagedScan,
      at: container.end,
      "the scan data is damaged: there is no scan of component \(missing)"
    )
  }

  /// Returns the transformed coefficients of the image, or of a window that is block-aligned under `transform`.
  package func coefficients(
    in window: PixelRectangle? = nil,
    transform: OrientationTransform
  ) throws(UprightError) -> (SparseImage, ReconstructionInfo) {
    try decode(window, transform) { parameters, bytes, placement throws(DecodeError) in
      try parameters.decode(bytes, placement)
    }
  }

  /// Returns the transformed coefficients of the image or a window, already coded.
  func coefficients(
    in window: PixelRectangle? = nil,
    transform: OrientationTransform,
    codes: [ComponentCodes]
  ) throws(UprightError) -> (CodedImage, ReconstructionInfo) {
    try decode(window, transform) { parameters, bytes, placement throws(DecodeError) in
      try parameters.decode(bytes, placement, codes: codes)
    }
  }

  /// Returns the transformed coefficients of a sequential image or a window as runs, counted.
  func runs(
    in window: PixelRectangle? = nil,
    transform: OrientationTransform
  ) throws(UprightError) -> (RunImage, ReconstructionInfo) {
    try decode(window, transform) { parameters, bytes, placement throws(DecodeError) in
      try parameters.decodeRuns(bytes, placement)
    }
  }

  private func decode<Image>(
    _ window: PixelRectangle?,
    _ transform: OrientationTransform,
    _ read: Read<Image>
  ) throws(UprightError) -> (Image, ReconstructionInfo) {
    let window = window ?? frame.bounds
    do throws(DecodeError) {
      let placement = BlockPlacement(frame, in: window, transform: transform)
      let (image, info) = try read(parameters, bytes.span, placement)
      try requireEnd(info)
      return (image, info)
    } catch {
      if case .stopped(let limit) = error { throw UprightError(limit) }
      guard container.isComplete else { throw .noEndOfImage(at: container.end) }
      // TurboJPEG takes codes that no table has, and coefficients after the last, for others, mostly without a warning.
      guard case .unsupported = error else { throw UprightError(error) }
      // Without a window, TurboJPEG does the whole transform.
      let isWhole = window == frame.bounds && frame.isLossless(under: transform)
      let stream = try reference(isWhole ? transform : .none, insteadOf: error)
      let rest = isWhole ? nil : (window, transform)
      return try decode(reference: stream, rest, insteadOf: error, read)
    }
  }

  /// Throws if EOI is missing, unless everything before it is there.
  private func requireEnd(_ info: ReconstructionInfo) throws(DecodeError) {
    guard !container.isComplete, !parameters.isComplete || info.strayByteCount > 0 else { return }
    throw .damaged(at: container.end, "there is no EOI marker")
  }

  /// Returns TurboJPEG's transform of an image that Upright's decoder does not support.
  private func reference(
    _ transform: OrientationTransform,
    insteadOf error: DecodeError
  ) throws(UprightError) -> [UInt8] {
    do throws(TransformError) {
      return try LosslessTransform.stream(
        container.decodableStream(bytes),
        transformedBy: transform
      )
    } catch let problem {
      switch problem {
      case .outOfMemory:
        throw UprightError(.outOfMemory, "not enough memory for the image")
      case .damaged(let report), .unknownSampling(let report):
        throw UprightError(error, reference: report)
      case .missing: throw UprightError(error)
      }
    }
  }

  private func decode<Image>(
    reference stream: [UInt8],
    _ rest: (window: PixelRectangle, transform: OrientationTransform)?,
    insteadOf error: DecodeError,
    _ read: Read<Image>
  ) throws(UprightError) -> (Image, ReconstructionInfo) {
    do throws(DecodeError) {
      guard let container = try? Container(stream.span),
        let segment = container.segments.first(where: { $0.marker.startsFrame }),
        let frame = try? Frame(segment, in: stream.span),
        let parameters = try? CodingParameters(container, frame, stream.span)
      else { throw error }
      let (window, transform) = rest ?? (frame.bounds, .none)
      let placement = BlockPlacement(frame, in: window, transform: transform)
      let (image, _) = try read(parameters, stream.span, placement)
      return (image, ReconstructionInfo(scans: self.parameters.scans.count))
    } catch { throw UprightError(error) }
  }
}

extension UprightError {
  /// Creates the error of work that was stopped.
  package init(_ limit: WorkLimit) {
    switch limit {
    case .cancellation: self.init(.cancelled, "the work was cancelled")
    case .deadline: self.init(.timeLimit, "the work took longer than the time limit")
    }
  }

  init(_ error: DecodeError, reference report: String? = nil) {
    switch error {
    case .damaged(let offset, let message):
      self.init(.damagedScan, at: offset, "the scan data is damaged: \(message)")
    case .unsupported(let offset, let message):
      let addition = report.map { " (libjpeg-turbo reports: \($0))" } ?? ""
      self.init(.damagedScan, at: offset, "the image cannot be decoded: \(message)\(addition)")
    case .stopped(let limit): self.init(limit)
    }
  }
}
