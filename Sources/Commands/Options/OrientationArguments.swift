public import ArgumentParser
public import ImageOrientation

extension Orientation: ExpressibleByArgument {
  /// Creates an orientation from its number or name.
  public init?(argument: String) {
    guard let found = Int(argument).map(Orientation.init(rawValue:)) ?? Orientation(argument) else {
      return nil
    }
    self = found
  }
}

extension OrientationTransform: NamedValue {}
