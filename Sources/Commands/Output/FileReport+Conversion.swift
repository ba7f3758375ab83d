internal import Conversion
internal import Reports
internal import Upright

extension FileReport {
  /// What a conversion made of a file.
  struct Conversion: Sendable {
    var outcome: ConversionOutcome
    /// Whether the result was thrown away, as in a dry run.
    var isDry = false

    /// The image, where there is one.
    var image: ConvertedImage? {
      guard case .converted(let image) = outcome else { return nil }
      return image
    }

    var status: Status {
      switch outcome {
      case .converted: isDry ? .convertible : .converted
      case .skipped: .skipped
      }
    }

    /// Why the file was skipped.
    var reason: Reason? {
      guard case .skipped(let reason) = outcome else { return nil }
      return reason
    }

    /// What the source has and the result has not, in words.
    var losses: [String] { image?.losses.map { "not carried over: \($0.text)" } ?? [] }

    /// What people should know besides.
    var notes: [String] { image?.notes ?? [] }
  }
}
