public import ArgumentParser
public import Upright

/// The option for the pages of TIFF files.
struct PageOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Pages of TIFF files to change, each of which has an Orientation of its own: a number from 1, or all. By default \
      the first image, with its reduced renditions.
      """,
      valueName: "page"
    )
  )
  var page: TagPages?
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
