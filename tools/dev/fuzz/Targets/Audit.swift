import ImageFormats
import ImageOrientation
import JPEGCore
import Upright

/// The beginnings of files, read piece by piece; what an audit counts and what it lists agree with the plan.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = input(start, count)
  let rewriter = Rewriter(options: options(file.suffix(64).reduce(0) { $0 &* 31 &+ Int($1) }))
  func audit(_ detail: Audit.Detail) -> Audit? {
    try? rewriter.audit(size: file.count, detail: detail) { offset, count in
      Array(file.dropFirst(offset).prefix(count))
    }
  }
  let (totals, everything) = (audit(.totals), audit(.everything))
  // The target FormatHeaders reads other formats, which have no plan.
  if let everything, everything.plan.image.format != .jpeg { return 0 }
  let plan = try? rewriter.plan(file)
  precondition(totals?.plan.action == everything?.plan.action, "the details change the plan")
  precondition(totals?.plan.notes == everything?.plan.notes, "the details change the notes")
  precondition(totals?.plan.action == plan?.action, "the reads change the plan")
  guard let container = try? Container(file.span, extent: .header),
    let part = try? Header(container, file.span, xmp: .orientation),
    let whole = try? Header(container, file.span)
  else { return 0 }
  // A packet that says 1 and is not to be read, or says it of something else, may be left unread.
  guard part.orientation != .value(.up) else { return 0 }
  precondition(part.orientation == whole.orientation, "a part of XMP tells another orientation")
  return 0
}
