import FileBytes
import ImageOrientation
import JPEGCore
import TurboTransform
import Upright

/// The decoder: what it reads without stray bytes, TurboJPEG reads without a warning, and the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = input(start, count)
  let transform = OrientationTransform.allCases[Int(file.count) & 7]
  guard let container = try? Container(file.span),
    let header = try? Header(container, file.span), case let frame = header.frame,
    frame.width * frame.height <= 1 << 20, frame.isLossless(under: transform),
    let parameters = try? CodingParameters(container, frame, file.span),
    // Otherwise the plan refuses the image: its scans cannot hold the swapped coefficients.
    !transform.transposes || parameters.isTransposable
  else { return 0 }
  let placement = BlockPlacement(frame, in: frame.bounds, transform: transform)
  guard let (image, info) = try? parameters.decode(file.span, placement),
    info.strayByteCount == 0
  else { return 0 }
  do throws(TransformError) {
    let expected = try LosslessTransform.digests(
      container.decodableStream(file),
      transformedBy: transform
    )
    // The same of the image that our coefficients make.
    let transformed = frame.transformed(by: transform)
    let encoder = ImageEncoder(parameters, frame: transformed)
    guard let edits = try? encoder.edits(image, tables: .optimal)
    else { return 0 }
    let header = FrameEdits(container, from: frame, to: transformed).headerEdits(file.span)
    let result = (header + edits).applied(to: file)
    guard let structure = try? Container(result.span),
      let digests = try? LosslessTransform.digests(
        structure.decodableStream(result),
        transformedBy: .none
      )
    else { return 0 }
    precondition(digests == expected, "other coefficients")
  } catch {
    guard case .unknownSampling = error else {
      fatalError("TurboJPEG does not read this: \(error)")
    }
  }
  return 0
}
