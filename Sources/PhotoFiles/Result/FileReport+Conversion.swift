package import Conversion
package import Reports
package import Upright

extension FileReport {
  /// The result of a conversion.
  package struct Conversion: Sendable {
    package var outcome: ConversionOutcome
    /// Whether the result was discarded, as in a dry run.
    package var isDry = false

    /// Creates the result of a conversion.
    package init(outcome: ConversionOutcome, isDry: Bool = false) {
      (self.outcome, self.isDry) = (outcome, isDry)
    }

    /// The image, or nil if the file was not converted.
    package var image: ConvertedImage? {
      guard case .converted(let image) = outcome else { return nil }
      return image
    }

    package var status: Status {
      switch outcome {
      case .converted: isDry ? .convertible : .converted
      case .skipped: .skipped
      }
    }

    /// Why the file was skipped.
    package var reason: Reason? {
      guard case .skipped(let reason) = outcome else { return nil }
      return reason
    }

    /// What was lost in the conversion, as text.
    package var losses: [String] { image?.losses.map { "not carried over: \($0.text)" } ?? [] }

    /// Notes for people.
    package var notes: [Note] { image?.notes ?? [] }
  }
}
