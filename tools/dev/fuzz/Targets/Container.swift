import JPEGCore
import Upright

/// The container parser: ranges are within the file, in order, and the header agrees with the whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = input(start, count)
  _ = try? Container(file.span, extent: .header)
  guard let container = try? Container(file.span) else { return 0 }
  var position = 0
  for segment in container.segments {
    precondition(segment.range.lowerBound >= position && segment.range.upperBound <= count)
    precondition(segment.range.contains(segment.payload) || segment.payload.isEmpty)
    position = segment.range.upperBound
    _ = segment.kind(in: file.span)
  }
  for scan in container.scans { precondition(scan.data.upperBound <= count) }
  precondition(container.end <= count)
  _ = container.decodableStream(file)
  if let header = try? Header(container, file.span) {
    _ = header.credentialSegments(file.span)
    _ = MultiPictureIndex(container, file.span)
  }
  _ = try? Rewriter(options: options(0)).plan(beginning: file)
  return 0
}
