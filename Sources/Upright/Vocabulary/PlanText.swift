internal import ImageFormats
internal import ImageOrientation

/// A plan as a clause for people, as in `rotated 90° clockwise, lossless (96×64 → 64×96)`.
package struct PlanText {
  let plan: Plan
  /// Whether the plan was carried out.
  let isDone: Bool
  /// The measured effect of re-encoding.
  let redraw: RedrawReport?
  /// The sizes of the file in bytes before and after.
  let sizes: (before: Int, after: Int)?

  /// Creates the text of a plan, and of what carrying it out resulted in.
  package init(
    _ plan: Plan,
    isDone: Bool = false,
    redraw: RedrawReport? = nil,
    sizes: (before: Int, after: Int)? = nil
  ) {
    (self.plan, self.isDone, self.redraw, self.sizes) = (plan, isDone, redraw, sizes)
  }

  /// The text.
  package var text: String {
    switch plan.action {
    case .unchanged(let reason):
      return (plan.image.isUpright ? "already upright: " : "unchanged: ") + reason.explanation
    case .skip(let reason): return "skipped: \(reason.explanation)"
    case .resetTag: return isDone ? "Orientation set to 1, image unchanged" : "set Orientation to 1"
    case .changeTag(let orientation?):
      let value = orientation.rawValue
      return isDone ? "Orientation set to \(value), image unchanged" : "set Orientation to \(value)"
    case .changeTag(nil):
      return isDone ? "Orientation removed, image unchanged" : "remove Orientation"
    case .transform(let transform, let edges):
      if let crop = plan.crop, plan.isCropped { return text(crop, transform, edges) }
      if plan.image.format != .jpeg { return displayed(transform) }
      let (before, after) = sizes(transform, edges)
      let size = before == after ? "(\(before))" : "(\(before) → \(after))"
      return "\(words(transform)), \(text(edges)) \(size)" + cost(edges)
    }
  }

  /// Returns a crop, as in `cropped to 1008x752+0+16 instead of 1000x750+8+18, rotated 90° clockwise, lossless`.
  private func text(_ crop: Crop, _ transform: OrientationTransform, _ edges: Edges) -> String {
    var words = [(isDone ? "cropped to " : "crop to ") + "\(crop.result)"]
    if crop.result != crop.requested { words[0] += " instead of \(crop.requested)" }
    if transform != .none { words.append(self.words(transform)) }
    let size = transform.size(of: plan.image.size)
    return words.joined(separator: ", ")
      + ", \(text(edges)) (\(size.width)×\(size.height) → \(crop.result.width)×\(crop.result.height))"
  }

  private func word(_ transform: OrientationTransform) -> String {
    isDone ? transform.past : transform.description
  }

  private func words(_ transform: OrientationTransform) -> String {
    let displayed = plan.image.displayed(transform)
    return displayed == .none || displayed == transform
      ? word(transform) : "\(word(displayed)) as displayed (\(word(transform)) as stored)"
  }

  /// Returns a change of the properties of a HEIF file, as in `rotated 90° clockwise by irot and imir, no sample changed
  /// (64×96 → 96×64)`, with the displayed sizes.
  private func displayed(_ transform: OrientationTransform) -> String {
    func size(_ transform: OrientationTransform) -> String {
      let size = transform.size(of: plan.image.size)
      return "\(size.width)×\(size.height)"
    }
    // Orientation that is trusted was not yet displayed.
    let added = plan.image.displayed(transform)
    let before = added == .none ? .none : plan.image.orientation?.transform ?? .none
    return word(before.inverse.then(transform)) + " by irot and imir, "
      + (isDone ? "no sample changed" : "no sample changes")
      + " (\(size(before)) → \(size(transform)))"
  }

  /// Returns the treatment of the edges: `lossless`, `re-encoded: luma lossless, chroma 52.1 dB`, or what is
  /// trimmed.
  private func text(_ edges: Edges) -> String {
    switch edges {
    case .lossless:
      let others = Set(
        plan.embeddedImages.filter { $0.disposition == .reencoded }.map { $0.role.rawValue }
      ).sorted()
      guard !others.isEmpty else { return "lossless" }
      let names = others.joined(separator: " and the ")
      return "lossless except for the \(names) (\(isDone ? "" : "would be ")re-encoded)"
    case .reencoded(let kept, let count):
      let verb = isDone ? "re-encoded" : "would be re-encoded"
      let psnr = redraw.map { $0.psnr.isFinite ? "\(tenths($0.psnr)) dB" : "no difference" }
      let names = { (components: [Int]) in
        components == [0] ? "luma" : components.contains(0) ? "some components" : "chroma"
      }
      let others = (0..<count).filter { !kept.contains($0) }
      let parts =
        kept.isEmpty
        ? [psnr] : ["\(names(kept)) lossless", psnr.map { "\(names(others)) \($0)" }]
      let text = parts.compactMap(\.self).joined(separator: ", ")
      return text.isEmpty ? verb : "\(verb): \(text)"
    case .trimmed(let trimmed):
      return "trimmed by "
        + [(trimmed.columns, "column"), (trimmed.rows, "row")].filter { $0.0 > 0 }
        .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
    }
  }

  /// Returns the change of the file's size by re-encoding, as in `, 1.2 → 1.6 MB`.
  private func cost(_ edges: Edges) -> String {
    guard case .reencoded = edges, let sizes else { return "" }
    return ", " + ByteCount.text(sizes.before, sizes.after)
  }

  private func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  /// Returns the sizes of the image before and after a transform.
  private func sizes(_ transform: OrientationTransform, _ edges: Edges) -> (String, String) {
    var (width, height) = (plan.image.size.width, plan.image.size.height)
    let before = "\(width)×\(height)"
    if case .trimmed(let trimmed) = edges {
      (width, height) = (width - trimmed.columns, height - trimmed.rows)
    }
    let after = transform.size(width: width, height: height)
    return (before, "\(after.width)×\(after.height)")
  }
}

extension Plan: CustomStringConvertible {
  /// What would be done, as a clause for people: `rotate 90° clockwise, lossless (96×64 → 64×96)`.
  public var description: String { PlanText(self).text }
}
