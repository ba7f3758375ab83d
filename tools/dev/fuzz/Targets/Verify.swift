import FileBytes
import Upright
import Verification

/// The verifier: the length of the first file, then two files.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  guard let length = bytes.span.uint16(at: 0, .little) else { return 0 }
  let original = Array(bytes.dropFirst(2).prefix(Int(length)))
  var verifier = Verifier()
  verifier.maxPixels = 1 << 21
  _ = try? verifier.verify(original: original, result: Array(bytes.dropFirst(2 + Int(length))))
  if case .rewritten(let rewrite)? = try? Rewriter(options: options(0)).rewrite(original) {
    _ = try? verifier.verify(original: rewrite.bytes, result: original)
  }
  return 0
}
