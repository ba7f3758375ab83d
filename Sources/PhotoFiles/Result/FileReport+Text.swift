internal import Conversion
internal import FileSystem
internal import ImageOrientation
internal import Reports
internal import TurboTransform
internal import Upright

extension FileReport {
  /// What is or was done, as a clause for people: `rotated 90° clockwise, lossless (96×64 → 64×96)`.
  package var text: String {
    switch result {
    case .failed(let error): "error: \(error.text)"
    case .interrupted: "interrupted by a signal: nothing was replaced"
    case .planned(let plan):
      text(of: plan.value)
        + (plan.value.action.rewrites
          ? expectedName.map { "; the name should be \($0)" } ?? "" : "")
    case .done(let outcome):
      text(of: outcome.plan)
        + (lacksUndo ? "; there is no undo data: keep a copy of the original" : "")
        + (rewrite == nil ? output.map { "; copied to \($0.escaped)" } ?? "" : "")
    case .undo(let undo): undo.text
    case .conversion(let conversion): conversion.text
    }
  }

  private func text(of plan: Plan) -> String {
    PlanText(plan, isDone: isDone, redraw: redraw, sizes: sizes).text
  }
}

extension FileReport.Undo {
  fileprivate var text: String {
    let sizes = original.map { " (\($0.oldSize) → \($0.size) bytes)" } ?? ""
    let text =
      switch status {
      case .restored: "restored, byte for byte"
      case .restorable: "can be restored, byte for byte"
      case .stripped: "undo data removed, otherwise unchanged"
      case .planned: "undo data can be removed"
      default: status.rawValue
      }
    return text + (reason.map { ": \($0.explanation)" } ?? sizes)
  }
}

extension FileReport.Conversion {
  fileprivate var text: String {
    switch outcome {
    case .skipped(let reason): return "skipped: \(reason.explanation)"
    case .converted(let image):
      let verb = isDry ? "can be converted" : "converted"
      let transform =
        image.transform == .none ? "" : ", \(image.transform.past) as specified in the file"
      return "\(verb) with quality \(image.quality), \(image.sampling.rawValue), not lossless"
        + "\(transform) (\(image.size.width)×\(image.size.height), \(image.bytes.count) bytes)"
    }
  }
}
