public import Upright
public import Verification

extension Verdict {
  /// Adds a finding if a result holds undo data that does not restore the original.
  ///
  /// `Verifier` does not know the form of this data (`docs/record-format.md`, section 10).
  ///
  /// - Parameters:
  ///   - result: The result that the verdict is about.
  ///   - original: The original file.
  ///   - maxPixels: The maximum number of pixels of an image, as its header gives it.
  public mutating func checkUndoData(
    in result: [UInt8],
    of original: [UInt8],
    maxPixels: Int = Options().maxPixels
  ) {
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
    findings.append(
      Finding(
        .init(.undoDataWrong),
        "the undo data in the result does not restore the original: \(problem)"
      )
    )
  }
}
