/// What changes what a reason, an error or a note reports, for programs and for people.
///
/// The texts of the library name no options, because each of its users spells them differently. The command makes
/// options of the remedies, a page makes buttons.
public struct Remedy: Hashable, Sendable {
  /// What to do.
  public enum Step: Hashable, Sendable {
    /// Set a policy, which has the name of the command's option, to a value.
    case policy(String, String)
    /// Raise a limit, which has the name of the command's option.
    case limit(String)
    /// Do something else than to run the same request with other options.
    case action(Action)
  }

  /// The identifier of something to do that no policy does.
  ///
  /// More may be added.
  public struct Action: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public var rawValue: String

    /// Creates an action from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Convert the file to JPEG.
    public static let convert = Action(rawValue: "convert")
    /// Transform the image instead of its tag.
    public static let transformImage = Action(rawValue: "transform-image")
    /// Correct the Orientation.
    public static let correctOrientation = Action(rawValue: "correct-orientation")
    /// Normalize the file before the request, with a policy that decides about its Orientation.
    package static let normalize = Action(rawValue: "normalize")
  }

  /// What to do.
  public var step: Step
  /// The effect as an imperative for people, as in `rotate it anyway`; empty for limits.
  public var text: String

  /// Creates a remedy from its parts.
  public init(_ step: Step, _ text: String) {
    self.step = step
    self.text = text
  }

  /// Returns the remedy of a limit that is too low.
  package static func limit(_ name: String) -> Remedy { Remedy(.limit(name), "") }

  /// The text, if it needs no option or other function.
  package var textOfAction: String? {
    guard case .action(let action) = step, action != .correctOrientation, !text.isEmpty else {
      return nil
    }
    return text
  }
}
