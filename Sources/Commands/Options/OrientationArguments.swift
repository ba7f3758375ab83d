public import ArgumentParser
public import ImageOrientation
public import Upright

extension Orientation {
  /// Creates an orientation from its number or name.
  init?(argument: String) {
    guard let found = Int(argument).map(Orientation.init(rawValue:)) ?? Orientation(argument) else {
      return nil
    }
    self = found
  }

  /// Creates the orientation of an argument.
  ///
  /// - Throws: `ValidationError`.
  init(parsing argument: String) throws {
    guard let found = Orientation(argument: argument) else {
      throw ValidationError("Give a number from 1 to 8, or its name.")
    }
    self = found
  }

  /// The numbers and names, with how readers show the image.
  static var list: String {
    allCases.map { each in
      let shown = each == .up ? "as stored" : each.transform.past
      return "\(each.rawValue) \(each), \(shown)"
    }.joined(separator: "; ")
  }
}

extension OrientationTransform: NamedValue {}

/// The words of command lines for transforms.
extension OrientationTransform {
  typealias Words = [(name: String, value: OrientationTransform)]

  /// Clockwise rotations by their angles in degrees.
  static let angles: Words = [("90", .rotate90), ("180", .rotate180), ("270", .rotate270)]
  /// Flips by their directions.
  static let flips: Words = [("horizontal", .flipHorizontal), ("vertical", .flipVertical)]

  /// Returns the parser of an argument that is one of some words.
  static func parser(
    of words: Words
  ) -> @Sendable (_ argument: String) throws -> OrientationTransform {
    { argument in
      if let found = words.first(where: { $0.name == argument }) { return found.value }
      let names = words.map { "'\($0.name)'" }.joined(separator: ", ")
      throw ValidationError("Please provide one of \(names).")
    }
  }
}

extension TagPages: ExpressibleByArgument {
  /// Creates the selection from an argument, a number from 1 or `all`.
  public init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let number = Int(argument), number > 0 {
      self = .number(number)
    } else {
      return nil
    }
  }
}
