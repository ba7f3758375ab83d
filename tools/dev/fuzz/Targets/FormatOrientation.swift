import ISOBMFF
import ImageOrientation
import Upright

/// Changes the orientation of HEIF, AVIF, TIFF and PNG files: the first byte selects the change, the others are the file.
///
/// The undo data of every result must restore the file, a second normalization must change nothing, and every item of a
/// HEIF file must be found again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  guard let selector = bytes.first else { return 0 }
  let file = Array(bytes.dropFirst())
  let orientation = Orientation.allCases[Int(selector & 7)]
  let request = requested(Int(selector) >> 4, orientation)
  guard let rewrite = rewritten(file, request, trustsTag: selector & 8 == 0) else { return 0 }
  var rebuilt = file
  for change in rewrite.changes.reversed() {
    rebuilt.replaceSubrange(change.range, with: change.replacement)
  }
  precondition(rebuilt == rewrite.bytes, "the listed changes are not all changes")
  if selector >> 4 & 3 == 3 {
    let again = try? Rewriter().rewrite(rewrite.bytes)
    guard let again, !again.plan.action.rewrites else {
      fatalError("the result is not normalized")
    }
  }
  if let old = try? MediaFile(file.span) {
    guard let new = try? MediaFile(rewrite.bytes.span), new.directory.order == old.directory.order
    else { fatalError("the items are not found") }
    for identifier in old.directory.order {
      guard let item = old.directory.items[identifier], item.type != "Exif", !item.isXMP else {
        continue
      }
      guard let content = try? old.directory.content(of: item, file.span),
        let result = new.directory.items[identifier],
        (try? new.directory.content(of: result, rewrite.bytes.span)) == content
      else { fatalError("item \(identifier) has another content") }
    }
  }
  return 0
}
