import ImageFormats
import Upright

/// The headers of formats other than JPEG, read piece by piece; each step asks for bytes of the file, and few of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = input(start, count)
  guard ImageFormat(beginning: file.span) != .jpeg else { return 0 }
  var reads = 0
  let audit = try? Rewriter().audit(size: file.count) { offset, count in
    precondition(offset >= 0 && count >= 0 && offset <= file.count, "a read outside of the file")
    reads += 1
    precondition(reads < 20_000, "the reads do not end")
    return Array(file.dropFirst(offset).prefix(count))
  }
  guard let audit else { return 0 }
  precondition(!audit.plan.action.rewrites, "only JPEG files are rewritten")
  precondition(audit.facts.orientationsAgree != nil)
  return 0
}
