internal import ImageOrientation
internal import Upright

extension Verdict: CustomStringConvertible {
  /// The conclusion as a clause for people: `proven: rotate 90° clockwise, all 13824 coefficients are the same`.
  public var description: String {
    guard conclusion != .notProven else {
      return "not proven, \(findings.count) finding\(findings.count == 1 ? "" : "s")"
    }
    let others = images.dropFirst().compactMap { image in
      image.role.map { "\($0.rawValue) \(image.relation.rawValue)" }
    }
    let rest = others.isEmpty ? "" : "; " + others.joined(separator: ", ")
    let data =
      keptData(.misregistered, "no longer fits the image")
      + keptData(.stale, "shows the image as it was stored")
    guard let image = images.first else { return "identical bytes" }
    let what =
      image.relation == .reencoded
      ? "re-encoded in part"
      : !content.isEmpty
        ? "all \(content) are the same but for the orientation"
        : image.coefficients > 0
          ? "all \(image.coefficients) coefficients are the same"
          : "the coded data is the same, and cannot be decoded"
    let isDisplayedSo = !content.isEmpty && transform == .none
    let change = isDisplayedSo ? "displayed as before" : "\(transform)"
    switch detail {
    case .alreadyUpright: return "already upright, identical bytes"
    case .identical: return "identical bytes" + (notes.first.map { ": \($0.text)" } ?? "")
    case .lossless: return "proven: \(change), \(what)" + rest
    case .trimmed: return "partly proven: \(transform), trimmed: " + trimming + rest + data
    case .reencoded, .misregistered: return "partly proven: \(transform), \(what)" + rest + data
    case .incomplete:
      return "partly proven: \(change), \(what)" + rest + "; a container cannot be read to its end"
    case .notProven: return "not proven"
    }
  }

  /// The text on what a trimmed image lost.
  private var trimming: String {
    notes.first { $0.code == Finding.Code(.trimmed) }?.text ?? ""
  }

  /// Returns the names of the data that the result has as the original does, after a phrase; empty if there is none.
  private func keptData(_ effect: RegisteredData.Effect, _ phrase: String) -> String {
    let names = misregistered.filter { $0.effect == effect }.map(\.name)
    return names.isEmpty ? "" : "; \(phrase): " + names.joined(separator: ", ")
  }
}
