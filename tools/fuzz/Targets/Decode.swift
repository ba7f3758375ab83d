import ImageOrientation
import JPEGCore
import TurboTransform
import Upright

/// The decoder of sequential pictures: what it reads, TurboJPEG reads without a warning, and the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = input(start, count)
  let turn = Turn.allCases[Int(file.count) & 7]
  guard let container = try? Container(file.span),
    let header = try? Header(container, file.span), case let frame = header.frame,
    frame.width * frame.height <= 1 << 20,
    let script = try? ScanScript(container, frame: frame, file.span),
    CoefficientReader.canTurn(frame, by: turn, isInterleaved: header.isInterleaved),
    frame.isExact(under: turn)
  else { return 0 }
  let placement = BlockPlacement(frame, in: frame.bounds, turn: turn)
  guard let own = script.coefficients(file.span, placement, turn: turn) else { return 0 }
  let stream = container.decodableStream(file)
  do throws(TransformError) {
    let image = CoefficientImage(
      try CoefficientReader.read(stream, frame: frame, turn: turn)
    )
    precondition(image.coefficients == CoefficientImage(own).coefficients, "other coefficients")
  } catch { fatalError("TurboJPEG does not read this: \(error)") }
  return 0
}
