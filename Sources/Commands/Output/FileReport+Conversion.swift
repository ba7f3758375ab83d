internal import Conversion
internal import Reports
internal import Upright

extension FileReport {
  /// The result of a conversion.
  struct Conversion: Sendable {
    var outcome: ConversionOutcome
    /// Whether the result was discarded, as in a dry run.
    var isDry = false

    /// The image, or nil if the file was not converted.
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

    /// What was lost in the conversion, as text.
    var losses: [String] { image?.losses.map { "not carried over: \($0.text)" } ?? [] }

    /// Notes for people.
    var notes: [Note] { image?.notes ?? [] }
  }
}
