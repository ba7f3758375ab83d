internal import Conversion
internal import Reports
internal import Upright

extension FileReport {
  /// What a conversion made of a file.
  struct Conversion: Sendable {
    var outcome: ConversionOutcome
    /// Whether the result was thrown away, as in a dry run.
    var isDry = false

    /// The picture, where there is one.
    var picture: ConvertedPicture? {
      guard case .converted(let picture) = outcome else { return nil }
      return picture
    }

    var status: Status {
      switch outcome {
      case .converted: isDry ? .convertible : .converted
      case .left: .left
      }
    }

    /// Why the file was left alone.
    var reason: Reason? {
      guard case .left(let reason) = outcome else { return nil }
      return reason
    }

    /// What the source has and the result has not, in words.
    var losses: [String] { picture?.losses.map { "not carried over: \($0.text)" } ?? [] }

    /// What people should know besides.
    var notes: [String] { picture?.notes ?? [] }
  }
}
