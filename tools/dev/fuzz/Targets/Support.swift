import FileBytes
import Foundation
import ImageOrientation
import JPEGCore
import Upright
import Verification

/// The bytes of an input.
func input(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: start, count: count))
}

/// A fixture, by its path below `fixtures/`.
func fixture(_ path: String) -> [UInt8] {
  guard let folder = ProcessInfo.processInfo.environment["UPRIGHT_FIXTURES"],
    let data = try? Data(contentsOf: URL(filePath: folder).appending(path: path))
  else { fatalError("the fixture \(path) is missing; run through tools/dev/fuzz/fuzz") }
  return [UInt8](data)
}

/// The segments of an image without metadata, without SOI.
let plainImage: [UInt8] = {
  let file = fixture("orientation/aligned-6.jpg")
  guard let container = try? Container(file.span) else { fatalError("the fixture is not a JPEG") }
  return Array(container.decodableStream(file).dropFirst(2))
}()

/// A marker segment.
func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
  let content = payload.prefix(65_533)
  return [0xFF, marker] + UInt16(content.count + 2).bytes(.big) + content
}

/// Every combination of options that takes another way through the code, picked by a number.
func options(_ number: Int) -> Options {
  var options = Options()
  options.maxPixels = 1 << 21
  options.unaligned = [.redraw, .trim, .redraw, .fail][number & 3]
  options.onConflict = number & 4 == 0 ? .trustTag : .resetTag
  options.regions = number & 8 == 0 ? .keep : .follow
  options.resolution = number & 16 == 0 ? .keep : .follow
  options.contentCredentials = number & 32 == 0 ? .keep : .strip
  options.redrawQuality = number & 64 == 0 ? .standard : .max
  return options
}

/// A change of an orientation, picked by two bits.
func requested(_ choice: Int, _ orientation: Orientation) -> Request {
  switch choice & 3 {
  case 0: .tag(.set(orientation))
  case 1: .tag(.remove)
  case 2: .tag(.transform(orientation.transform))
  default: .normalize(then: orientation.transform)
  }
}

/// The rewrite of a file of any format, whose undo data restores the file; nil if it is not rewritten.
func rewritten(_ file: [UInt8], _ request: Request, trustsTag: Bool) -> Rewrite? {
  var options = Options()
  options.makesUndo = true
  options.onConflict = trustsTag ? .trustTag : .resetTag
  guard case .rewritten(let rewrite)? = try? Rewriter(request, options: options).rewrite(file)
  else { return nil }
  guard let undo = rewrite.undo, (try? undo.restoreOriginal(from: rewrite.bytes)) == file else {
    fatalError("the undo data does not restore the file")
  }
  return rewrite
}

/// Changes only the tag of a file, and checks the invariants of results.
func check(_ file: [UInt8], tag operation: TagOperation) {
  guard case .rewritten(let rewrite)? = try? Rewriter(.tag(operation)).rewrite(file) else { return }
  guard let restored = try? rewrite.undo?.restoreOriginal(from: rewrite.bytes), restored == file
  else {
    fatalError("a change of the tag cannot be undone")
  }
}

/// Normalizes a file, or transforms the displayed image, and checks the invariants of results.
func check(_ file: [UInt8], _ options: Options, then: OrientationTransform = .none) {
  guard
    case .rewritten(let rewrite)? = try? Rewriter(.normalize(then: then), options: options).rewrite(
      file
    )
  else {
    return
  }
  var rebuilt = file
  for change in rewrite.changes.reversed() {
    rebuilt.replaceSubrange(change.range, with: change.replacement)
  }
  precondition(rebuilt == rewrite.bytes, "the listed changes are not all changes")
  if let undo = rewrite.undo {
    guard let record = try? UndoRecord(serialized: undo.serialized),
      let restored = try? record.restoreOriginal(from: rewrite.bytes)
    else { fatalError("a record does not restore") }
    precondition(restored == file, "a record restores another file")
  }
  guard case .transform = rewrite.plan.action else { return }
  do {
    let again = try Rewriter(options: options).rewrite(rewrite.bytes)
    guard case .unchanged = again.plan.action else {
      fatalError("the result is not upright: \(again.plan.action)")
    }
  } catch { fatalError("the result cannot be read: \(error)") }
  var verifier = Verifier(then: then)
  verifier.maxPixels = options.maxPixels
  let verdict: Verdict
  do {
    verdict = try verifier.verify(original: file, result: rewrite.bytes)
  } catch { fatalError("\(error)") }
  let never: Set = [
    "wrong-transform", "not-transformed", "dimensions", "component-count", "quantization-table",
    "edge-strip",
    "trailer-lost", "orientation-stale", "segment-order", "stray-bytes",
  ]
  for finding in verdict.findings where never.contains(finding.code.rawValue) {
    fatalError("the proof fails: \(finding)")
  }
}
