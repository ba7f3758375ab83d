internal import Records
internal import Upright
internal import Verification

/// The check that the undo data in a result restores the original.
struct UndoDataCheck {
  let original: [UInt8]
  let result: [UInt8]
  /// The maximum number of pixels of an image.
  let maxPixels: Int

  /// Adds a finding to a verdict if the result has undo data that does not restore the original.
  func add(to verdict: inout Verdict) {
    guard EmbeddedUndo.exists(in: result) else { return }
    let problem: String
    do throws(UprightError) {
      switch try Restoration(embeddedIn: result, maxPixels: maxPixels, until: original) {
      case .restored(original): return
      case .changedSince: problem = "the result was changed after it was rewritten"
      default: problem = "it restores another file"
      }
    } catch {
      problem = "\(error)"
    }
    verdict.findings.append(
      Verdict.Finding(
        identifier: "undo-data-wrong",
        text: "the undo data in the result does not restore the original: \(problem)",
        originalOffset: nil,
        resultOffset: nil
      )
    )
  }
}
